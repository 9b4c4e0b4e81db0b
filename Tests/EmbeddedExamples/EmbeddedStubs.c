// SPDX-License-Identifier: Apache-2.0
// What Embedded Swift expects of a platform: Linux on arm64, 32-bit Arm and RISC-V, and wasm. Test
// code only; on a board of yours these functions come from its C library or from you.

typedef __SIZE_TYPE__ word;
typedef unsigned char byte;

#if __wasm__

int __main_argc_argv(int, char **);

// A result that is not 0 stops the program.
void _start(void) {
  if (__main_argc_argv(0, 0)) __builtin_trap();
}

// A program that prints needs a host that knows WASI; any other one needs no host.
__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_write"))) int fd_write(
    int file, const void *pieces, int count, word *written);

int putchar(int character) {
  byte only = (byte)character;
  struct {
    const byte *start;
    word count;
  } piece = {&only, 1};
  word written;
  fd_write(1, &piece, 1, &written);
  return character;
}

#if RANDOM_FROM_HOST
__attribute__((import_module("host"), import_name("random"))) void host_random(
    void *to, word count);

void arc4random_buf(void *to, word count) { host_random(to, count); }
#else
// Nothing random is asked for.
void arc4random_buf(void *to, word count) {
  (void)to;
  (void)count;
  __builtin_trap();
}
#endif

// Numbers of 128 bits, of which wasm has the sums only: products of four pieces of 32 bits.
unsigned __int128 __multi3(unsigned __int128 left, unsigned __int128 right) {
  unsigned long long a = (unsigned long long)left, b = (unsigned long long)right;
  unsigned long long low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
  unsigned long long middle = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
  unsigned long long other = (a & 0xFFFFFFFF) * (b >> 32) + (middle & 0xFFFFFFFF);
  unsigned long long high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
  high += a * (unsigned long long)(right >> 64) + (unsigned long long)(left >> 64) * b;
  return (unsigned __int128)high << 64 | (other << 32 | (low & 0xFFFFFFFF));
}

#else

int main(int, char **);

word call(word number, word first, word second, word third);

#if __aarch64__
enum { call_write = 64, call_exit = 94, call_protect = 226, call_random = 278 };
__asm__(".section .text.system, \"ax\"\n.globl _start, call\n"
        "_start: mov x0, sp\n b start\n"
        "call: mov x8, x0\n mov x0, x1\n mov x1, x2\n mov x2, x3\n svc 0\n ret\n .text\n");
#elif __arm__
enum { call_write = 4, call_exit = 248, call_protect = 125, call_random = 384 };
__asm__(".section .text.system, \"ax\"\n.globl _start, call\n"
        ".thumb_func\n_start: mov r0, sp\n b start\n"
        ".thumb_func\ncall: push {r7, lr}\n mov r7, r0\n mov r0, r1\n mov r1, r2\n"
        " mov r2, r3\n svc 0\n pop {r7, pc}\n .text\n");
#elif __riscv
enum { call_write = 64, call_exit = 94, call_protect = 226, call_random = 278 };
__asm__(".section .text.system, \"ax\"\n.globl _start, call\n"
        "_start: mv a0, sp\n j start\n"
        "call: mv a7, a0\n mv a0, a1\n mv a1, a2\n mv a2, a3\n ecall\n ret\n .text\n");
#endif

static void leave(word status) {
  call(call_exit, status, 0, 0);
  __builtin_unreachable();
}

static word capabilities;

// The stack as Linux leaves it: the count and the list of arguments, the environment, the vector of
// auxiliary values. An argument hides the instructions of the kernels for arm64.
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

word getauxval(word type) { return type == 16 ? capabilities : 0; }

int putchar(int character) {
  byte only = (byte)character;
  call(call_write, 1, (word)&only, 1);
  return character;
}

void arc4random_buf(void *to, word count) { call(call_random, (word)to, count, 0); }

// A page of 4,096 bytes between two that may not be read.
void *guarded_page(void) {
  static byte pages[3 * 4096] __attribute__((aligned(4096)));
  static int guarded;
  if (!guarded && call(call_protect, (word)pages, 4096, 0)) leave(1);
  if (!guarded && call(call_protect, (word)(pages + 8192), 4096, 0)) leave(1);
  guarded = 1;
  return pages + 4096;
}

word __stack_chk_guard = 0x5AFE57AC;

void __stack_chk_fail(void) { leave(134); }

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

#if __arm__ || __riscv

// Numbers of 64 bits, which these processors take in two halves.

typedef unsigned long long wide;

typedef union {
  wide whole;
  struct {
    word low, high;
  } half;
} halves;

static wide shifted_left(wide number, word count) {
  halves from = {number}, to;
  if (count == 0) return number;
  to.half.low = count < 32 ? from.half.low << count : 0;
  to.half.high = count < 32 ? from.half.high << count | from.half.low >> (32 - count)
                            : from.half.low << (count - 32);
  return to.whole;
}

static wide shifted_right(wide number, word count) {
  halves from = {number}, to;
  if (count == 0) return number;
  to.half.high = count < 32 ? from.half.high >> count : 0;
  to.half.low = count < 32 ? from.half.low >> count | from.half.high << (32 - count)
                           : from.half.high >> (count - 32);
  return to.whole;
}

static wide divided(wide number, wide by, wide *rest) {
  wide quotient = 0;
  *rest = 0;
  for (int bit = 63; bit >= 0; bit--) {
    *rest = shifted_left(*rest, 1) | (shifted_right(number, (word)bit) & 1);
    quotient = shifted_left(quotient, 1);
    if (*rest >= by) {
      *rest -= by;
      quotient |= 1;
    }
  }
  return quotient;
}

static long long divided_signed(long long number, long long by, long long *rest) {
  wide positive_rest;
  wide quotient = divided(number < 0 ? -(wide)number : (wide)number,
                          by < 0 ? -(wide)by : (wide)by, &positive_rest);
  *rest = (long long)(number < 0 ? -positive_rest : positive_rest);
  return (long long)((number < 0) != (by < 0) ? -quotient : quotient);
}

#if __riscv

wide __ashldi3(wide number, word count) { return shifted_left(number, count); }
wide __lshrdi3(wide number, word count) { return shifted_right(number, count); }

wide __udivdi3(wide number, wide by) {
  wide rest;
  return divided(number, by, &rest);
}

long long __divdi3(long long number, long long by) {
  long long rest;
  return divided_signed(number, by, &rest);
}

long long __moddi3(long long number, long long by) {
  long long rest;
  divided_signed(number, by, &rest);
  return rest;
}

#else

wide __aeabi_llsl(wide number, word count) { return shifted_left(number, count); }
wide __aeabi_llsr(wide number, word count) { return shifted_right(number, count); }

// Quotient and rest come back in four registers.
__attribute__((used)) static wide unsigned_division(wide number, wide by, wide *rest) {
  return divided(number, by, rest);
}
__attribute__((used)) static long long signed_division(long long number, long long by,
                                                       long long *rest) {
  return divided_signed(number, by, rest);
}
#define DIVISION(name, function)                                                       \
  __asm__(".section .text." name ", \"ax\"\n.globl " name "\n.thumb_func\n"             \
          name ": push {r6, lr}\n sub sp, #16\n add r6, sp, #8\n str r6, [sp]\n"        \
          " bl " function "\n ldrd r2, r3, [sp, #8]\n add sp, #16\n pop {r6, pc}\n .text\n")
DIVISION("__aeabi_uldivmod", "unsigned_division");
DIVISION("__aeabi_ldivmod", "signed_division");

void __aeabi_memcpy(void *to, const void *from, word count) { memcpy(to, from, count); }
void __aeabi_memcpy4(void *to, const void *from, word count) { memcpy(to, from, count); }
void __aeabi_memcpy8(void *to, const void *from, word count) { memcpy(to, from, count); }
void __aeabi_memmove(void *to, const void *from, word count) { memmove(to, from, count); }
void __aeabi_memset(void *to, word count, int value) { memset(to, value, count); }
void __aeabi_memset4(void *to, word count, int value) { memset(to, value, count); }
void __aeabi_memclr(void *to, word count) { memset(to, 0, count); }
void __aeabi_memclr4(void *to, word count) { memset(to, 0, count); }
void __aeabi_memclr8(void *to, word count) { memset(to, 0, count); }

#endif
#endif

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

#if __SIZEOF_POINTER__ == 8 && !__wasm__

// The runtime of Embedded Swift 6.3.1 has these two, as weak symbols. They give back the object without
// the bits that tell a short text from a pointer, and code for AArch64 goes on with what they give back:
// a text of up to 15 bytes is damaged. These give back what they got.
void *swift_retain(void *object);

void *swift_bridgeObjectRetain_n(void *object, unsigned count) {
  word bits = (word)object;
  void *plain = (void *)(bits & 0x8ffffffffffffff8);
  if (!(bits >> 63) && plain) {
    while (count--) swift_retain(plain);
  }
  return object;
}

void *swift_bridgeObjectRetain(void *object) { return swift_bridgeObjectRetain_n(object, 1); }

#endif
