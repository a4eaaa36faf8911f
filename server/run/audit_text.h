/*
 * server/run/audit_text.h - times and values in records of the audit trail.
 *
 * Purpose:   writes them so that no value can be taken for another field or
 *            another record.
 * Units:     wall clock in milliseconds.
 * Source:    doc/rmux.1, GUESTS.
 * Tests:     regress/unit/check_audit.c
 */
#ifndef SERVER_RUN_AUDIT_TEXT_H
#define SERVER_RUN_AUDIT_TEXT_H

#include "base/buf.h"

/* Appends VALUE as a field has it: plain, or quoted with \xNN. */
void audit_put_value(struct buf *out, const char *value);

/* Appends MS, "2026-11-23T10:02:13.193Z". */
void audit_put_time(struct buf *out, int64_t ms);

#endif
