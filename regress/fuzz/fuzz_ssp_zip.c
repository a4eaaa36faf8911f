/*
 * Unpacking: first byte: flags and size of the output, then the packed bytes.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "ssp/compress.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct ssp_zip *zip;
	static const uint8_t prefix[] =
	    "user@host:~$ ls -l\ntotal 12\ndrwxr-xr-x 2 user user 4096 x\n";
	uint8_t out[8192 + 8];
	size_t n;

	if (zip == NULL)
		zip = ssp_zip_new();
	if (size < 2)
		return 0;
	n = ((size_t)data[0] << 8 | data[1]) % 8192;
	memset(out + n, 0x5a, 8);
	if (ssp_zip_unpack(zip, data[0] & 0x80 ? prefix : NULL,
		data[0] & 0x80 ? sizeof prefix : 0, data + 2, size - 2,
		(data[0] & 0x40) != 0, out, n) != 0) {
	}
	bug_assert(out[n] == 0x5a && out[n + 7] == 0x5a);
	return 0;
}
