// Calls one function of a library and prints what it answers: call LIBRARY FUNCTION number|text [ARGUMENT...]
// An argument is "memory", some zeroed bytes, or "0". Whatever the function does to the process is done to this one only.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { kMost = 32 };

static char memory[kMost][1 << 16];

// A function that takes fewer arguments does not see the others, in the calling convention of x86-64 and of AArch64.
typedef long Function(long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long,
                      long, long, long, long, long, long, long, long, long, long, long, long, long, long, long, long);

int main(int argc, char** argv) {
  long a[kMost] = {0};
  for (int i = 4; i < argc && i - 4 < kMost; i++) a[i - 4] = strcmp(argv[i], "memory") == 0 ? (long)memory[i - 4] : 0;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 3;
  Function* function = (Function*)dlsym(library, argv[2]);
  if (function == NULL) return printf("answer=absent\n"), 0;
  long answer = function(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14],
                         a[15], a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27],
                         a[28], a[29], a[30], a[31]);
  if (strcmp(argv[3], "text") == 0) {
    printf("answer=%s\n", (const char*)answer);
  } else {
    printf("answer=%d\n", (int)answer);
  }
  fflush(stdout);
  _exit(0);  // what the library does at the end of a process is not asked
}
