// Rules for the units of systemd.

const everywhere = {
  DynamicUser: 'yes',
  User: 'convexa',
  StateDirectory: 'convexa',
  ProtectSystem: 'strict',
  NoNewPrivileges: 'yes',
  CapabilityBoundingSet: '',
}
const lasting = { Restart: 'always', LimitNOFILE: '65536' }
/** Seconds that a role may take to stop (8.2 of operations). */
const stops = { api: '40', worker: '90' }

/** Directives of a unit: the last of a name, and all of those that may be repeated. */
function directives(text) {
  const last = {}
  const all = []
  for (const line of text.split('\n')) {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? []
    if (name === undefined) continue
    last[name] = value
    all.push([name, value])
  }
  return { last, all }
}

/** `role`: migrate, api or worker. */
export function unitFaults(text, role) {
  const { last, all } = directives(text)
  const wanted = { ...everywhere, ...(role === 'migrate' ? { Type: 'oneshot' } : { ...lasting, TimeoutStopSec: stops[role] }) }
  const faults = Object.entries(wanted)
    .filter(([name, value]) => last[name] !== value)
    .map(([name, value]) => `${name} is ${last[name] ?? 'not set'}, not ${value}`)
  if (role !== 'migrate' && !last['MemoryMax']) faults.push('no MemoryMax')
  if (role !== 'migrate' && !last['Requires']?.includes('convexa-migrate.service')) faults.push('it does not wait for the upgrade')
  if ('WatchdogSec' in last) faults.push('WatchdogSec: nothing of the product tells systemd that it lives')
  if (last['ExecStart'] !== `/opt/convexa/convexa-role ${role}`) faults.push('it starts something else')
  const credentials = all.filter(([name]) => name === 'LoadCredential').map(([, value]) => value.split(':')[0])
  for (const name of ['secret_key', 'database_url']) if (!credentials.includes(name)) faults.push(`the secret ${name} is no credential`)
  const clear = all.filter(([name, value]) => name === 'Environment' && /(SECRET_KEY|DATABASE_URL|TOKEN|PASSWORD)=/.test(value))
  return [...faults, ...clear.map(([, value]) => `${value.split('=')[0]} stands in clear`)]
}
