#include "server/face/face.h"

#include "server/face/ask.h"
#include "server/face/guest.h"
#include "server/face/input.h"
#include "server/face/pick.h"
#include "server/face/redraw.h"

static void
overlays_due(struct viewer *vw, mono_ms now)
{
	overlays_expire(&vw->overlays, now);
}

static const viewer_due_fn face_due[VIEWER_DUE_COUNT] = {
	[VIEWER_DUE_OVERLAYS] = overlays_due,
	[VIEWER_DUE_TABLE] = keys_table_due,
	[VIEWER_DUE_KEYS] = keys_panel_due,
	[VIEWER_DUE_CLICK] = mouse_click_due,
	[VIEWER_DUE_DRAG] = mouse_drag_due,
	[VIEWER_DUE_ECHO] = pump_echo_due,
	[VIEWER_DUE_ACK] = pump_ack_due,
	[VIEWER_DUE_MODES] = pump_modes_due,
	[VIEWER_DUE_SIZE] = guest_size_due,
	[VIEWER_DUE_ASK] = ask_due,
	[VIEWER_DUE_PICK] = pick_due,
	[VIEWER_DUE_VIEW] = pump_view_due,
};

void
face_ops_init(struct viewer_ops *ops)
{
	ops->host = &redraw_host;
	ops->build = redraw_view;
	ops->input = input_event;
	ops->refused = guest_refused;
	ops->due = face_due;
}
