-- Bills, whose numbers run on without a gap: so one at a time may write them, under the lock bill-accounts.
create table if not exists demo.bill_series (
    name text primary key,
    last_number bigint not null,
    fence bigint not null -- the token of the holder that wrote last
);

-- The table refuses a holder that has lost the lock and does not know it: its token is smaller than one that was here.
create or replace function demo.refuse_older_holder() returns trigger language plpgsql as $$
begin
    if new.fence < old.fence then
        raise exception 'token % is older than %: another holder of the lock has written since', new.fence, old.fence;
    end if;
    return new;
end $$;
drop trigger if exists refuse_older_holder on demo.bill_series;
create trigger refuse_older_holder before update on demo.bill_series
    for each row execute function demo.refuse_older_holder();

insert into demo.bill_series values ('bills', 0, 0) on conflict do nothing;

-- An account has one bill for a day: the key says so, whoever tries.
create table demo.bill (
    account_id integer not null references demo.account,
    day date not null,
    number bigint not null unique,
    cents bigint not null,
    run_key text not null,
    primary key (account_id, day)
);
