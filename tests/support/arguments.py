"""Types of options for argparse."""
import argparse


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}'; expected a whole number from 1")
    return int(text)
