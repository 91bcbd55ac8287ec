#!/bin/sh
# The linker of Python's module and Rust's benchmark in `compare.py`. Beside a program it links ten others, PROGRAM.0 to PROGRAM.9, each with its functions
# in another order: where a function begins decides up to a tenth of a row, though it runs the same instructions.
cc "$@" || exit
for argument; do
    [ "$before" = -o ] && program=$argument
    before=$argument
done
case $program in
    */codec-* | */lib_native.so) ;;
    *) exit ;;
esac
for order in 1 2 3 4 5 6 7 8 9 10; do
    cc "$@" -o "$program.$((order - 1))" "-Wl,--shuffle-sections=*=$order" || exit
done
