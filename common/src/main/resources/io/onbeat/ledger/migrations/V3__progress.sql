-- How far the attempt that is running says it is: {"attempt", "fraction", "note"}, written with the renewal of its lease. It
-- stays when the attempt ends, and says nothing of another one.
alter table run add column progress json;
