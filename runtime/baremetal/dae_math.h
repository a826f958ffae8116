/* Mathematical functions that compilers call where a processor has no instruction: those of C, weak, exact,
 * without errno and exceptions. The type's own are made of dae_math.inc. */
#ifndef DAE_MATH_H
#define DAE_MATH_H

#ifdef __cplusplus
extern "C" {
#endif

float ceilf(float x);
float floorf(float x);
float fmaxf(float x, float y);
float fminf(float x, float y);
float fmodf(float x, float y);
float rintf(float x);
float roundf(float x);
float roundevenf(float x);
float sqrtf(float x);
float truncf(float x);
double ceil(double x);
double floor(double x);
double fmax(double x, double y);
double fmin(double x, double y);
double fmod(double x, double y);
double rint(double x);
double round(double x);
double roundeven(double x);
double sqrt(double x);
double trunc(double x);

#ifdef __cplusplus
}
#endif

#endif
