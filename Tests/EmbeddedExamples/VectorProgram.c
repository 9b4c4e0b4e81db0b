// SPDX-License-Identifier: Apache-2.0
// The program of the vectors: runs them, and measures how much stack the functions use.

#include "EmbeddedExamples.h"

int putchar(int);
long run_vectors(void);

static void print(const char *text) {
  while (*text) putchar(*text++);
}

static void print_number(unsigned long number) {
  if (number > 9) print_number(number / 10);
  putchar('0' + (int)(number % 10));
}

// The stack grows down. What a function may use is painted, the function runs, and the lowest byte
// that lost its colour tells how deep it wrote.

#define REACH 65536
#define COLOUR 0xA5

static unsigned char *volatile lowest;

__attribute__((noinline)) static void paint(void) {
  volatile unsigned char area[REACH];
  for (unsigned long index = 0; index < REACH; index++) area[index] = COLOUR;
  lowest = (unsigned char *)area;
}

static unsigned long depth(void (*work)(void)) {
  // The first time, a linker that binds late would be measured too.
  work();
  paint();
  work();
  volatile unsigned char *place = lowest;
  while (*place == COLOUR) place++;
  return (unsigned long)(lowest + REACH - place);
}

static unsigned char output[4096];

static void hash(void) { sha256(output, 1000, output + 1024); }

static void authenticate(void) { hmac_sha256(output, 32, output, 1000, output + 1024); }

// "GET Object" of the S3 API Reference, "Signature Calculations for the Authorization Header".
static const char request[] =
    "AKIAIOSFODNN7EXAMPLE\nwJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY\n\nus-east-1\ns3\n"
    "20130524T000000Z\nGET\nhttps://examplebucket.s3.amazonaws.com/test.txt\nRange:bytes=0-9\n";

static void sign(void) { sign_request(request, sizeof request - 1, output, sizeof output); }

// The control: a function that uses 1,000 bytes, and the few that every call takes.
__attribute__((noinline)) static void thousand(void) {
  volatile unsigned char area[1000];
  for (int index = 0; index < 1000; index++) area[index] = 0;
}

static void print_depth(const char *name, void (*work)(void)) {
  print("stack of ");
  print(name);
  print(": ");
  print_number(depth(work));
  print(" bytes\n");
}

int main(int count, char **arguments) {
  (void)count;
  (void)arguments;
  long failures = run_vectors();
  print_depth("the control", thousand);
  print_depth("hashing", hash);
  print_depth("HMAC", authenticate);
  print_depth("signing", sign);
  return failures != 0;
}
