set pagination off
break pane_place if r->w != p->w || r->h != p->h
commands
silent
printf "place %d %d -> %d %d\n", p->w,p->h,r->w,r->h
bt 8
continue
end
break copy_text_resize
commands
silent
bt 8
continue
end
continue
