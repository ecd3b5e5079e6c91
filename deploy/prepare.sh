#!/bin/sh
# Makes what compose.yaml needs: deploy/.env from its example, and in deploy/secrets the secrets of the profiles in
# it. Changes nothing that is there but lines that derive from PUBLIC_URL. Run it again after a change of deploy/.env.
set -euf
cd "$(dirname "$0")"
[ -e .env ] || cp .env.example .env
# Nobody else comes into the folder. The files are mounted one by one, and the users in the containers read them.
mkdir -p secrets && chmod 700 secrets
umask 022

# As Compose reads it: without quotes, and without a comment behind it.
setting() { sed -n "s/^\(export \)*$1 *= *//p" .env | tail -n 1 | sed 's/[[:space:]]#.*//; s/[[:space:]]*$//' | tr -d "\"'"; }
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
profiles=$(setting COMPOSE_PROFILES | tr -d ' ')
has() { case ",$profiles," in *",$1,"*) ;; *) return 1 ;; esac; }
refuse() {
	echo "$1" >&2
	exit 1
}
# A file of secrets: made once.
make() { [ -s "secrets/$1" ] || cat > "secrets/$1"; }
# A line of Parley's own settings: written once.
line() { grep -q "^$1=" secrets/parley.env || echo "$1=$2" >> secrets/parley.env; }
# A line that derives from PUBLIC_URL. A comment keeps what was written: a line that differs from it is the
# operator's, and stays.
derived() {
	written=$(sed -n "s/^# From PUBLIC_URL until you edit it: //p" secrets/parley.env | grep "^$1=" || :)
	if [ -n "$written" ] && grep -qxF "$written" secrets/parley.env; then
		cp -p secrets/parley.env secrets/parley.env.new
		grep -vxF -e "$written" -e "# From PUBLIC_URL until you edit it: $written" \
			secrets/parley.env > secrets/parley.env.new || [ $? -eq 1 ]
		mv secrets/parley.env.new secrets/parley.env
	fi
	grep -q "^$1=" secrets/parley.env ||
		printf '# From PUBLIC_URL until you edit it: %s\n%s\n' "$1=$2" "$1=$2" >> secrets/parley.env
}
# What follows a word in a file.
after() { sed -n "s/^ *$1 *//p" "secrets/$2" | head -n 1; }

# Compose says nothing about a profile that is not there, and of other values only what a container ends with.
for profile in $(echo "$profiles" | tr , " "); do
	case "$profile" in
	https | postgres | livekit | turn | backup) ;;
	*) refuse "COMPOSE_PROFILES in deploy/.env has $profile: the profiles are https, postgres, livekit, turn and backup." ;;
	esac
done
address=$(setting PUBLIC_URL)
if has https; then
	case "$address" in
	https://*/?* | https://*:*) refuse "The profile https needs PUBLIC_URL in deploy/.env without a port and a path." ;;
	https://?*) ;;
	*) refuse "The profile https needs PUBLIC_URL=https://... in deploy/.env: the address that people open." ;;
	esac
fi
case "$address" in
'' | http://?* | https://?*) ;;
*) refuse "PUBLIC_URL in deploy/.env needs http:// or https:// at its beginning." ;;
esac
case "$(setting PARLEY_IMAGE)" in
'' | media | service) ;;
*) refuse "PARLEY_IMAGE in deploy/.env is media or service." ;;
esac

# Compose mounts only files that exist, of profiles that are off too.
make parley.env << END
# Settings of Parley: docs/operating.md has them all, such as SMTP_URL.
PARLEY_SECRET=$(random)
END
make postgres.password << END
$(random)
END
make livekit.yaml << END
port: 7880
rtc: { udp_port: 7892, tcp_port: 7891, use_ice_lite: true }
room: { auto_create: true, empty_timeout: 60, departure_timeout: 60, enable_remote_unmute: false }
limit: { max_participant_identity_length: 64, max_attributes_size: 1, max_metadata_size: 1 }
api: { enable_psrpc_for_get_list_participants: true }
logging: { level: warn, json: true }
keys:
  parley: $(random)
END
# Everybody with the link of a direct meeting gets an account at coturn: it relays to no private network.
make turnserver.conf << END
use-auth-secret
static-auth-secret=$(random)
realm=parley
min-port=49160
max-port=49199
no-multicast-peers
denied-peer-ip=0.0.0.0-0.255.255.255
denied-peer-ip=10.0.0.0-10.255.255.255
denied-peer-ip=127.0.0.0-127.255.255.255
denied-peer-ip=169.254.0.0-169.254.255.255
denied-peer-ip=172.16.0.0-172.31.255.255
denied-peer-ip=192.168.0.0-192.168.255.255
END

if has postgres; then
	line DATABASE_URL "postgres://parley:$(cat secrets/postgres.password)@postgres/parley"
fi
if has livekit; then
	line LIVEKIT_URL ws://livekit:7880
	line LIVEKIT_API_KEY parley
	line LIVEKIT_API_SECRET "$(after parley: livekit.yaml)"
fi
if has turn; then
	host=$(setting PUBLIC_URL | sed 's,^[a-z]*://,,; s,[:/].*,,')
	derived TURN_URLS "turn:$host:3478?transport=udp,turn:$host:3478?transport=tcp"
	line TURN_SECRET "$(after static-auth-secret= turnserver.conf)"
fi
