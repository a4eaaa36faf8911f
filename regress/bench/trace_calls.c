/*
 * Record every function that a process enters.
 *
 * trace_calls.py links this file into a program compiled with -pg -mfentry, in
 * which every function calls __fentry__ first; this file must not be compiled
 * so.  If the environment names a file in RMUX_TRACE_CALLS, the process maps it
 * and appends one record a call: an address in the function in the low 48 bits,
 * the depth of the call above.  The first word of the file counts the records.
 * A child of the process does not record.  x86-64 and one thread only.
 */
#include <sys/mman.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define TRACE_RECORDS (1u << 22)
#define TRACE_ADDRESS ((UINT64_C(1) << 48) - 1)
#define TRACE_DEPTH 1024

void trace_enter(uint64_t, uint64_t);

static uint64_t *trace_records;
/* The stack pointers of the calls that have not returned. */
static uint64_t trace_stack[TRACE_DEPTH];
static unsigned trace_depth;

/*
 * The compiler calls __fentry__ before the function saves anything, so all
 * registers of arguments survive.  trace_enter is compiled without vector
 * registers.
 */
__asm__("	.globl	__fentry__\n"
	"	.type	__fentry__, @function\n"
	"__fentry__:\n"
	"	push	%rax\n"
	"	push	%rcx\n"
	"	push	%rdx\n"
	"	push	%rsi\n"
	"	push	%rdi\n"
	"	push	%r8\n"
	"	push	%r9\n"
	"	push	%r10\n"
	"	push	%r11\n"
	"	sub	$8, %rsp\n"
	"	mov	80(%rsp), %rdi\n"
	"	lea	88(%rsp), %rsi\n"
	"	call	trace_enter\n"
	"	add	$8, %rsp\n"
	"	pop	%r11\n"
	"	pop	%r10\n"
	"	pop	%r9\n"
	"	pop	%r8\n"
	"	pop	%rdi\n"
	"	pop	%rsi\n"
	"	pop	%rdx\n"
	"	pop	%rcx\n"
	"	pop	%rax\n"
	"	ret\n"
	"	.section .note.GNU-stack,\"\",@progbits\n"
	"	.text\n");

static void
trace_child(void)
{
	trace_records = NULL;
}

__attribute__((constructor)) static void
trace_start(void)
{
	const char *path = getenv("RMUX_TRACE_CALLS");
	size_t size = TRACE_RECORDS * sizeof *trace_records;
	void *map;
	int fd;

	if (path == NULL || (fd = open(path, O_RDWR | O_CLOEXEC)) < 0)
		return;
	unsetenv("RMUX_TRACE_CALLS");
	if (ftruncate(fd, (off_t)size) == 0) {
		map =
		    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (map != MAP_FAILED)
			trace_records = map;
	}
	close(fd);
	pthread_atfork(NULL, NULL, trace_child);
}

/* FN: an address in the function.  SP: its stack pointer on entry. */
__attribute__((used)) void
trace_enter(uint64_t fn, uint64_t sp)
{
	if (trace_records == NULL || trace_records[0] + 1 >= TRACE_RECORDS)
		return;
	/* The stack grows down: a call that returned lies below its caller. */
	while (trace_depth > 0 && trace_stack[trace_depth - 1] <= sp)
		trace_depth--;
	trace_records[++trace_records[0]] =
	    (fn & TRACE_ADDRESS) | (uint64_t)trace_depth << 48;
	if (trace_depth < TRACE_DEPTH)
		trace_stack[trace_depth++] = sp;
}
