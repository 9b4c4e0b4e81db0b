// SPDX-License-Identifier: Apache-2.0
// What Embedded Swift expects of a platform, for Linux on arm64 and for wasm: test code only.

typedef __SIZE_TYPE__ word;
typedef unsigned char byte;

#if __aarch64__

int main(int, char **);

static word call(word number, word first, word second, word third) {
  register word x8 __asm__("x8") = number;
  register word x0 __asm__("x0") = first;
  register word x1 __asm__("x1") = second;
  register word x2 __asm__("x2") = third;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
  return x0;
}

static void leave(word status) {
  call(94, status, 0, 0);  // exit_group
  __builtin_unreachable();
}

static word capabilities;

// The stack as Linux leaves it: the count and the list of arguments, the environment, the vector of
// auxiliary values. An argument hides the instructions of the kernels.
__attribute__((used)) static void start(word *stack) {
  word count = stack[0];
  word *place = stack + 1 + count + 1;
  while (*place++) {}
  for (; place[0]; place += 2) {
    if (place[0] == 16) capabilities = place[1];  // AT_HWCAP
  }
  if (count > 1) capabilities &= ~(word)(1 << 6 | 1 << 4);  // HWCAP_SHA2, HWCAP_PMULL
  leave((word)main((int)count, (char **)(stack + 1)));
}

__asm__(".globl _start\n_start: mov x0, sp\n b start\n");

word getauxval(word type) { return type == 16 ? capabilities : 0; }

int putchar(int character) {
  byte only = (byte)character;
  call(64, 1, (word)&only, 1);  // write
  return character;
}

void arc4random_buf(void *to, word count) { call(278, (word)to, count, 0); }  // getrandom

// A page of 4,096 bytes between two that nobody may read.
void *guarded_page(void) {
  static byte pages[3 * 4096] __attribute__((aligned(4096)));
  static int guarded;
  if (!guarded && call(226, (word)pages, 4096, 0)) leave(1);  // mprotect, PROT_NONE
  if (!guarded && call(226, (word)(pages + 8192), 4096, 0)) leave(1);
  guarded = 1;
  return pages + 4096;
}

word __stack_chk_guard = 0x5AFE57AC;

void __stack_chk_fail(void) { leave(134); }

#else

int __main_argc_argv(int, char **);

// There is nobody to tell: a result that is not 0 stops the program.
void _start(void) {
  if (__main_argc_argv(0, 0)) __builtin_trap();
}

int putchar(int character) { return character; }

// Nothing random is asked for.
void arc4random_buf(void *to, word count) {
  (void)to;
  (void)count;
  __builtin_trap();
}

#endif

void *memcpy(void *to, const void *from, word count) {
  for (word index = 0; index < count; index++) ((byte *)to)[index] = ((const byte *)from)[index];
  return to;
}

void *memmove(void *to, const void *from, word count) {
  if ((word)to <= (word)from) return memcpy(to, from, count);
  while (count--) ((byte *)to)[count] = ((const byte *)from)[count];
  return to;
}

void *memset(void *to, int value, word count) {
  for (word index = 0; index < count; index++) ((byte *)to)[index] = (byte)value;
  return to;
}

int memcmp(const void *left, const void *right, word count) {
  for (word index = 0; index < count; index++) {
    int difference = ((const byte *)left)[index] - ((const byte *)right)[index];
    if (difference) return difference;
  }
  return 0;
}

// Memory in pieces of powers of two; a piece that was given back is used again for its size.
static byte heap[1 << 23] __attribute__((aligned(64)));
static word used;
static void *spare[24];

int posix_memalign(void **result, word alignment, word size) {
  word class = 7;
  while (class < 24 && ((word)1 << class) < size + 64) class++;
  if (alignment > 64 || class == 24) return 12;
  if (spare[class]) {
    *result = spare[class];
    spare[class] = *(void **)spare[class];
    return 0;
  }
  if (used + ((word)1 << class) > sizeof heap) return 12;
  byte *piece = heap + used;
  used += (word)1 << class;
  piece[0] = (byte)class;
  *result = piece + 64;
  return 0;
}

void free(void *pointer) {
  if (!pointer) return;
  byte class = ((byte *)pointer)[-64];
  *(void **)pointer = spare[class];
  spare[class] = pointer;
}
