# Installs Debian packages (the words given) without letting any of them start a service, now or at the next boot.
set -e
policy=/usr/sbin/policy-rc.d
saved=

missing() {
    for package; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' || return 0
    done
    return 1
}

# One at a time: a second one would take the first one's policy for the machine's.
exec 9>/run/lock/onbeat-install
flock 9
missing "$@" || exit 0

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

export DEBIAN_FRONTEND=noninteractive
apt-get -q update
apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "$@"
if command -v systemctl >/dev/null 2>&1; then
    for package; do
        dpkg -L "$package" | sed -n 's|.*/systemd/system/\([^/]*\.\(service\|socket\|timer\)\)$|\1|p' | grep -v '@' |
            xargs -r systemctl disable >/dev/null 2>&1 || true
    done
fi
