/* The file INPUTS. */
	.section .rodata.inputs, "a"
	.balign 4
	.global network_inputs
network_inputs:
	.incbin INPUTS
