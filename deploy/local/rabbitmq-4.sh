#!/bin/sh
# Unpacks Debian trixie's RabbitMQ 4 with its Erlang and its C library into a folder of its own, for a Debian or Ubuntu
# machine that has an older one: rabbitmq-4.sh FOLDER. Nothing is installed and root is not needed.
# FOLDER/bin/rabbitmq-server and FOLDER/bin/epmd are then what ONBEAT_LOCAL_RABBITMQ=FOLDER starts, with rabbitmqctl beside
# them. The packages come from the mirror that the machine's apt uses, with apt's own checks. The folder may be moved.
set -eu
folder=${1:?usage: rabbitmq-4.sh FOLDER}
release=trixie
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

fail() {
  echo "rabbitmq-4.sh: $*" >&2
  exit 1
}

[ ! -x "$folder/bin/rabbitmqctl" ] || exit 0
for program in apt-get dpkg-deb flock; do
  command -v "$program" >/dev/null || fail "no $program here: this needs Debian or Ubuntu; elsewhere set ONBEAT_LOCAL_RABBITMQ"
done
[ -r "$keyring" ] || fail "no $keyring: install the package debian-archive-keyring"
mirror=$(cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
  sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb  *\(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' | grep '/debian/*$' | head -1)
[ -n "$mirror" ] || fail "apt's sources name no mirror of Debian"

mkdir -p "$(dirname "$folder")"
exec 9>"$folder.lock"
flock 9
[ ! -x "$folder/bin/rabbitmqctl" ] || exit 0
half=$(cd "$(dirname "$folder")" && pwd)/$(basename "$folder").half
rm -rf "$half"
mkdir -p "$half/bin" "$half/apt/lists/partial" "$half/apt/cache/archives/partial" "$half/apt/none"

# To an apt that knows of no installed package every dependency is one to fetch, the C library included.
: >"$half/apt/status"
cat >"$half/apt/$release.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: $release
Components: main
Signed-By: $keyring
SOURCES
cat >"$half/apt/conf" <<CONF
Dir::Etc::sourcelist "$half/apt/$release.sources";
Dir::Etc::sourceparts "$half/apt/none";
Dir::Etc::preferencesparts "$half/apt/none";
Dir::State::lists "$half/apt/lists";
Dir::State::status "$half/apt/status";
Dir::Cache "$half/apt/cache";
Debug::NoLocking "true";
APT::Sandbox::User "";
CONF
export APT_CONFIG="$half/apt/conf" DEBIAN_FRONTEND=noninteractive
apt-get -qq update
apt-get -qq -y --no-install-recommends --download-only install rabbitmq-server >/dev/null
for package in "$half"/apt/cache/archives/*.deb; do
  dpkg-deb -x "$package" "$half"
done
rm -rf "$half/apt"

erlang=$(cd "$half" && echo usr/lib/erlang/erts-*)
linker=$(cd "$half" && find usr/lib -name 'ld-linux-*.so.*' -type f | head -1)
[ -d "$half/$erlang" ] && [ -n "$linker" ] || fail "the packages of $release are not as expected"
libraries=$(dirname "$linker")

# Each program of Erlang's is started by the C library that it was built for, never by the machine's. The loader has a link
# under the name of each, so that a list of processes shows what runs.
mkdir "$half/loaders"
(cd "$half" && find usr/lib/erlang -type f -perm -u+x ! -name '*.so') | while read -r program; do
  if [ "$(head -c 4 "$half/$program" | tail -c 3)" = ELF ]; then
    name=${program##*/}
    mv "$half/$program" "$half/$program.elf"
    ln -f "$half/$linker" "$half/loaders/$name"
    cat >"$half/$program" <<WRAPPER
#!/bin/sh
program=\$(readlink -f "\$0")
root=\${program%/$program}
exec "\$root/loaders/$name" --library-path "\$root/$libraries" --argv0 "\$0" "\$program.elf" "\$@"
WRAPPER
    chmod 755 "$half/$program"
  fi
done
cat >"$half/bin/erl" <<WRAPPER
#!/bin/sh
root=\$(cd "\$(dirname "\$0")/.." && pwd)
export ROOTDIR="\$root/usr/lib/erlang" BINDIR="\$root/$erlang/bin" EMU=beam PROGNAME=erl
exec "\$BINDIR/erlexec" "\$@"
WRAPPER
cat >"$half/bin/epmd" <<WRAPPER
#!/bin/sh
exec "\$(cd "\$(dirname "\$0")/.." && pwd)/$erlang/bin/epmd" "\$@"
WRAPPER
for program in rabbitmq-server rabbitmqctl; do
  cat >"$half/bin/$program" <<WRAPPER
#!/bin/sh
root=\$(cd "\$(dirname "\$0")/.." && pwd)
export PATH="\$root/bin:\$PATH"
exec "\$root/usr/lib/rabbitmq/bin/$program" "\$@"
WRAPPER
done
chmod 755 "$half"/bin/*
rm -rf "$folder"
mv "$half" "$folder"
