# Installs Debian's rabbitmq-server without letting the package start a broker of its own, now or at the next boot.
set -e
policy=/usr/sbin/policy-rc.d
saved=

# One at a time: a second one would take the first one's policy for the machine's.
exec 9>/run/lock/onbeat-install-rabbitmq
flock 9
if dpkg -s rabbitmq-server 2>/dev/null | grep -q '^Status: install ok installed'; then
    exit 0
fi

restore() {
    rm -f "$policy"
    if [ -n "$saved" ]; then
        mv "$saved" "$policy"
    fi
}
if [ -e "$policy" ]; then
    saved=$policy.before-onbeat
    mv "$policy" "$saved"
fi
trap restore EXIT
trap 'exit 130' INT TERM HUP
printf '#!/bin/sh\nexit 101\n' >"$policy"
chmod 755 "$policy"

units=rabbitmq-server
if ! dpkg -s erlang-base 2>/dev/null | grep -q '^Status: install ok installed'; then
    units="$units epmd.service epmd.socket"
fi

export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends rabbitmq-server
if command -v systemctl >/dev/null 2>&1; then
    # shellcheck disable=SC2086
    systemctl disable $units >/dev/null 2>&1 || true
fi
