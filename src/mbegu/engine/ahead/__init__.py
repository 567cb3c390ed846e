"""Kernels compiled ahead of time: shared libraries for computers, WebAssembly for browsers.

    entries     what a library offers, and with which arguments
    compile     Numba's code of all entries for one class of states, as LLVM's bitcode for no processor yet
    targets     the systems and processors that a library is made for
    link        bitcode to a library: LLVM's back end and the linker of the PyPI package `ziglang`
    library     the other end: finds the library for this computer and calls it, without Numba

A library is made for one class of states, such as `OwareVariant`. Its functions have one form: each takes
the address of a block of 64-bit words, reads its arguments there, writes its answer there, and returns 0,
or another number if it failed. A state is as many words as it has fields, an array is its address and its
lengths. `manifest.json` tells the arguments and answers of every function, and of which sources all was made:
a library of other sources is never used.

    python -m mbegu.engine.ahead FOLDER      builds for this computer and for browsers
"""
