/** The machine beyond the working folder: rights, processes, packages, services, other machines. */
import { readArguments } from '../shell/options.ts'
import type { Word } from '../shell/words.ts'
import { onlyAsks, type Pattern, says, verbOf } from './pattern.ts'

const ROOT = new Set(['sudo', 'doas', 'su', 'pkexec', 'runuser', 'gosu', 'run0'])

/** Package programs and the verbs of theirs that change the system or the user's own programs. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  apt: /^(?:install|remove|purge|autoremove|upgrade|full-upgrade|dist-upgrade|update|reinstall|edit-sources)$/,
  dnf: /^(?:install|remove|erase|update|upgrade|autoremove|swap|module|group\w*|reinstall|downgrade)$/,
  apk: /^(?:add|del|upgrade|fix)$/,
  brew: /^(?:install|uninstall|remove|rm|upgrade|reinstall|link|unlink|services|cleanup|tap|untap)$/,
  snap: /^(?:install|remove|refresh|revert|enable|disable)$/,
  flatpak: /^(?:install|uninstall|update|remote-\w+)$/,
  port: /^(?:install|uninstall|upgrade|selfupdate)$/,
  choco: /^(?:install|uninstall|upgrade)$/,
  winget: /^(?:install|uninstall|upgrade)$/,
  gem: /^(?:install|uninstall|update|cleanup)$/,
  cargo: /^(?:install|uninstall)$/,
  go: /^install$/,
  pipx: /^(?:install|uninstall|upgrade|inject|reinstall.*)$/,
  corepack: /^(?:enable|disable|prepare|install)$/,
  nix: /^(?:profile|upgrade-nix)$/,
}
const SAME_AS: Readonly<Record<string, string>> = {
  'apt-get': 'apt',
  aptitude: 'apt',
  yum: 'dnf',
  zypper: 'dnf',
  microdnf: 'dnf',
}

export const SYSTEM_PATTERNS: readonly Pattern[] = [
  {
    key: 'as_root',
    reason: 'it runs with the rights of another user',
    when: ({ name, via, words }) =>
      (ROOT.has(name) && !onlyAsks(words) && !says(words, '-V', '-l', '-k')) ||
      via.some((wrapper) => ROOT.has(wrapper)),
  },
  {
    key: 'end_processes',
    reason: 'it ends processes',
    when: ({ name, words, via }) =>
      (['pkill', 'killall', 'skill', 'xkill', 'taskkill'].includes(name) && !onlyAsks(words)) ||
      (name === 'fuser' && readArguments(words).has('k', 'kill')) ||
      // Signal 0, lists, and jobs of this very line are no business of a person.
      (name === 'kill' &&
        !says(words, '-0', '-l', '-L', '--list') &&
        (via.length > 0 || !words.every((word) => word.text.startsWith('-') || word.text.startsWith('%')))),
  },
  {
    key: 'install_packages',
    reason: 'it installs, removes or updates programs for the whole system or user',
    when: ({ name, words }) => installs(name, words),
  },
  {
    key: 'herma_settings',
    reason: "it changes Herma's own settings or records",
    when: ({ name, words }) => {
      if (name !== 'herma' || onlyAsks(words)) return false
      const said = words.filter((word) => !word.text.startsWith('-')).map((word) => word.text)
      return (
        !/^(?:config (?:get|path)|sessions (?:list|show|export|search)|doctor|version)\b/.test(said.join(' ')) ||
        says(words, '--yolo')
      )
    },
  },
  {
    key: 'services',
    reason: 'it changes services, jobs, users or settings of the system',
    when: ({ name, words }) => {
      if (onlyAsks(words)) return false
      const verb = verbOf(words)
      if (name === 'systemctl') {
        return verb !== '' && !/^(?:status|show|cat|list-.*|is-.*|get-default|help|show-environment)$/.test(verb)
      }
      if (name === 'service') return words.length > 1 && words.at(-1)?.text !== 'status' && !says(words, '--status-all')
      if (name === 'launchctl') return !/^(?:list|print.*|help|version|)$/.test(verb)
      if (name === 'crontab') return !says(words, '-l')
      if (name === 'sysctl')
        return readArguments(words).has('wp', 'write', 'load') || words.some((word) => word.text.includes('='))
      if (name === 'mount') return words.length > 0 && !says(words, '-l')
      if (name === 'ip') return says(words, 'add', 'del', 'delete', 'set', 'flush', 'change', 'replace')
      if (name === 'defaults') return /^(?:write|delete|import|rename)$/.test(verb)
      return SETTINGS.has(name)
    },
  },
  {
    key: 'containers',
    reason: 'it removes or reaches into containers, clusters or cloud resources',
    when: ({ name, words }) => {
      if (['docker', 'podman', 'nerdctl', 'docker-compose'].includes(name)) {
        return (
          says(words, 'rm', 'rmi', 'prune', 'kill', 'down', 'remove') ||
          words.some((word) => /^--(?:privileged|pid=host|net=host|network=host)$/.test(word.text)) ||
          readArguments(words, 'vepuwlh')
            .values('v', 'volume')
            .some((word) => /^\/(?::|etc|var|root|home|usr)/.test(word.text))
        )
      }
      if (['kubectl', 'oc', 'helm'].includes(name)) {
        return /^(?:delete|drain|cordon|apply|replace|patch|scale|exec|rollout|edit|uninstall|upgrade|install|rollback|cp)$/.test(
          verbOf(words),
        )
      }
      if (['terraform', 'tofu', 'pulumi', 'cdk'].includes(name))
        return says(words, 'apply', 'destroy', 'import', 'taint', 'up', 'deploy')
      return (
        CLOUD.has(name) &&
        words.some((word) =>
          /^(?:.*-)?(?:delete|remove|rm|rb|terminate|destroy|purge|drop|down|reset)(?:[-:].*)?$/.test(word.text),
        )
      )
    },
  },
  {
    key: 'publish',
    reason: 'it publishes something or changes it on a server for everybody',
    when: ({ name, words }) => {
      const verb = verbOf(words)
      if (['npm', 'pnpm', 'yarn', 'bun'].includes(name))
        return /^(?:publish|unpublish|deprecate|dist-tag|owner|access|token)$/.test(verb)
      if (name === 'cargo') return /^(?:publish|yank|owner)$/.test(verb)
      if (name === 'gem') return /^(?:push|yank|owner)$/.test(verb)
      if (name === 'twine') return verb === 'upload'
      if (name === 'docker') return verb === 'push'
      if (name === 'gh' || name === 'glab') {
        return (
          says(words, 'delete', 'merge', 'close', 'archive', 'transfer', 'rename', 'set', 'remove') ||
          (verb === 'release' && says(words, 'create', 'upload')) ||
          (verb === 'api' &&
            readArguments(words, 'XfFHq')
              .values('X', 'method')
              .some((word) => !/^get$/i.test(word.text)))
        )
      }
      return false
    },
  },
  {
    key: 'databases',
    reason: 'it deletes data from a database',
    when: ({ name, words, document, input }) => {
      if (!DATABASES.test(name)) return /^(?:dropdb|dropuser)$/.test(name)
      const piped = (input ?? []).flatMap((command) => command.words.map((word) => word.text))
      const text = [...words.map((word) => word.text), document ?? '', ...piped].join(' ')
      return /\b(?:drop\s+(?:table|database|schema|index|view|user|role|collection)|truncate|delete\s+from|alter\s+table\s+\S+\s+drop|flushall|flushdb|dropdatabase|deletemany|\.drop\s*\()/i.test(
        text,
      )
    },
  },
  {
    key: 'other_machines',
    reason: 'it runs something on another machine or opens a connection others can use',
    when: ({ name, words, redirects, document, input }) =>
      (['ssh', 'mosh', 'telnet', 'rsh'].includes(name) && !onlyAsks(words) && !says(words, '-V', '-Q', '-G')) ||
      (['scp', 'sftp', 'ftp', 'rclone'].includes(name) && !onlyAsks(words)) ||
      (name === 'rsync' && words.some((word) => /^[^/]+:/.test(word.text))) ||
      (['nc', 'ncat', 'netcat', 'socat'].includes(name) && !readArguments(words).has('z')) ||
      redirects.some(({ target }) => /^\/dev\/(?:tcp|udp)\//.test(target?.text ?? '')) ||
      (name === 'openssl' &&
        says(words, 's_client', 's_server') &&
        (input !== null || document !== null || redirects.length > 0)),
  },
  {
    key: 'upload',
    reason: 'it sends files to another machine',
    when: ({ name, words }) => {
      if (name === 'wget') return words.some((word) => /^--(?:post-file|body-file)/.test(word.text))
      if (name !== 'curl') return false
      const given = readArguments(words, 'oHdXuFAebcTDm', [
        'data',
        'data-binary',
        'data-raw',
        'form',
        'upload-file',
        'json',
      ])
      const bodies = [
        ...given.values('d', 'data'),
        ...given.values('F', 'form'),
        ...given.values('', 'data-binary'),
        ...given.values('', 'data-urlencode'),
        ...given.values('', 'json'),
      ]
      return (
        given.has('T', 'upload-file') ||
        bodies.some((word) => /(?:^|=)[@<]/.test(word.text)) ||
        given.values('X', 'request').some((word) => /^delete$/i.test(word.text))
      )
    },
  },
]

const SETTINGS = new Set([
  ...['at', 'batch', 'umount', 'swapon', 'swapoff', 'losetup', 'modprobe', 'insmod', 'rmmod', 'iptables', 'ip6tables'],
  ...['nft', 'ufw', 'firewall-cmd', 'useradd', 'adduser', 'userdel', 'deluser', 'usermod', 'groupadd', 'groupdel'],
  ...['gpasswd', 'passwd', 'chpasswd', 'chsh', 'visudo', 'vipw', 'hostnamectl', 'timedatectl', 'localectl', 'nmcli'],
  ...['setenforce', 'csrutil', 'spctl', 'nvram', 'pmset', 'scutil', 'dscl', 'tccutil', 'update-grub', 'grub-install'],
  ...[
    'efibootmgr',
    'update-alternatives',
    'dpkg-reconfigure',
    'ldconfig',
    'loginctl',
    'reg',
    'sc',
    'schtasks',
    'bcdedit',
  ],
  ...['fdisk', 'parted', 'sfdisk', 'gdisk', 'sgdisk', 'cryptsetup', 'lvremove', 'vgremove', 'pvremove', 'zpool', 'zfs'],
])
const CLOUD = new Set([
  'aws',
  'gcloud',
  'gsutil',
  'az',
  'heroku',
  'fly',
  'flyctl',
  'doctl',
  'vercel',
  'netlify',
  'wrangler',
  'supabase',
  'firebase',
  's3cmd',
  'mc',
])
const DATABASES =
  /^(?:psql|mysql|mariadb|sqlite3?|mongosh?|redis-cli|sqlcmd|duckdb|clickhouse(?:-client)?|cqlsh|influx)$/

function installs(name: string, words: readonly Word[]): boolean {
  if (onlyAsks(words)) return false
  const verb = verbOf(words)
  const verbs = PACKAGES[SAME_AS[name] ?? name]
  if (verbs !== undefined && Object.hasOwn(PACKAGES, SAME_AS[name] ?? name)) {
    return verbs.test(verb) && !readArguments(words).has('', 'dry-run', 'simulate', 'just-print')
  }
  if (name === 'pacman') return words.some((word) => /^-[SRU]/.test(word.text) && !/^-S[sil]/.test(word.text))
  if (name === 'dpkg') return readArguments(words).has('irP', 'install', 'remove', 'purge')
  if (name === 'rpm')
    return readArguments(words).has('iUeF', 'install', 'upgrade', 'erase') && !readArguments(words).has('q', 'query')
  if (['npm', 'pnpm', 'bun'].includes(name)) {
    return (
      /^(?:i|in|install|add|un|uninstall|remove|rm|update|upgrade|up|link|ln)$/.test(verb) &&
      (readArguments(words).has('g', 'global', 'location') || verb === 'link' || verb === 'ln')
    )
  }
  if (name === 'yarn') return verb === 'global'
  if (name === 'make' || name === 'ninja' || name === 'cmake') return says(words, 'install', 'uninstall', '--install')
  return isPip(name, words) && pipChangesSystem(words)
}

const isPip = (name: string, words: readonly Word[]): boolean =>
  /^pip[\d.]*$/.test(name) || (/^python[\d.]*$/.test(name) && says(words, '-m') && says(words, 'pip'))

/** Into the running Python unless another place is named; a virtual environment's own pip is told by its path elsewhere. */
const pipChangesSystem = (words: readonly Word[]): boolean =>
  says(words, 'install', 'uninstall') &&
  !words.some((word) => /^(?:--target|--prefix|--root|-t|--dry-run|--python)/.test(word.text))
