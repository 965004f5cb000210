// Rules for compose files: what an image of ours needs, and that nothing secret stands in clear.
import { parseDocument } from 'yaml'

const secretName = /(SECRET|PASSWORD|TOKEN|KEY|DATABASE_URL|SMTP_URL)/
/** Where the images of others keep their data. */
const dataOf = { 'postgres:18': '/var/lib/postgresql' }
const seconds = (text) => Number(/^(\d+)s$/.exec(text ?? '')?.[1] ?? 0)
const listOf = (value) => (Array.isArray(value) ? value : Object.keys(value ?? {}))

/** `settings`: names of the settings of the product. */
export function composeFaults(text, settings) {
  const document = parseDocument(text, { merge: true, uniqueKeys: true })
  if (document.errors.length > 0) return document.errors.map(({ message }) => message.split('\n')[0])
  const file = document.toJS()
  const services = Object.entries(file.services ?? {})
  const of = (name, service) => serviceFaults(service, file, settings).map((what) => `${name}: ${what}`)
  const used = (kind) => new Set(services.flatMap(([, service]) => usedBy(service, kind)))
  const idle = ['volumes', 'secrets', 'networks'].flatMap((kind) =>
    listOf(file[kind])
      .filter((name) => !used(kind).has(name))
      .map((name) => `${kind}: ${name} is used by no service`),
  )
  return [...(file.name ? [] : ['the project has no name']), ...services.flatMap(([name, service]) => of(name, service)), ...idle]
}

function usedBy(service, kind) {
  if (kind === 'volumes') return volumesOf(service).map(({ from }) => from)
  return listOf(service[kind]).map((one) => one.source ?? one)
}

function volumesOf(service) {
  return (service.volumes ?? []).map((one) => {
    const [from, to] = String(one).split(':')
    return { from, to }
  })
}

function serviceFaults(service, file, settings) {
  const isOurs = service.build?.dockerfile === 'deploy/Dockerfile'
  const role = isOurs ? (service.command ?? [])[0] : null
  const lasts = service.restart !== 'no' && role !== 'migrate'
  const environment = Object.entries(service.environment ?? {})
  const when = (is, what) => (is ? [what] : [])
  return [
    ...when(!service.image, 'no image'),
    ...when(!isOurs && !/:[\w.-]+$/.test(service.image ?? ''), 'an image without a tag'),
    ...when(/@sha256:|:latest$/.test(service.image ?? ''), 'an image is named by its tag, not by a digest or latest'),
    ...when(!service.restart, 'no word on restarts'),
    ...when(!service.healthcheck && service.restart !== 'no', 'no health check'),
    ...when(service.logging?.options?.['max-size'] !== '10m' || service.logging?.options?.['max-file'] !== '5', 'its log is not rotated'),
    ...when(!service.mem_limit, 'no limit of memory'),
    ...when(service.privileged || service.network_mode === 'host', 'rights of the host'),
    ...volumesOf(service)
      .filter(({ from }) => !from.startsWith('./') && !listOf(file.volumes).includes(from))
      .map(({ from }) => `volume ${from} is not declared`),
    ...listOf(service.secrets)
      .filter((name) => !listOf(file.secrets).includes(name))
      .map((name) => `secret ${name} is not declared`),
    ...listOf(service.depends_on)
      .filter((name) => !file.services[name])
      .map((name) => `depends on ${name}, which is not there`),
    ...environment
      .filter(([name, value]) => secretName.test(name) && !name.endsWith('_FILE') && value !== null)
      .map(([name]) => `${name} stands in clear`),
    ...environment.filter(([, value]) => /:\/\/[^/\s]*:[^/\s]*@/.test(String(value))).map(([name]) => `${name} holds a password`),
    ...when(service.image in dataOf && !volumesOf(service).some(({ to }) => to === dataOf[service.image]), 'its data lie in no volume'),
    ...when((role === 'all' || /^postgres:/.test(service.image)) && service.shm_size !== '256m', 'PostgreSQL needs shm_size 256m'),
    ...(isOurs ? ownFaults(service, role, lasts, environment, settings, when) : []),
  ]
}

function ownFaults(service, role, lasts, environment, settings, when) {
  return [
    ...when(service.read_only !== true, 'its root can be written to'),
    ...when(!service.cap_drop?.includes('ALL'), 'it keeps capabilities'),
    ...when(!service.security_opt?.includes('no-new-privileges:true'), 'it may gain privileges'),
    ...when(!service.tmpfs?.some((one) => one.startsWith('/tmp:size=64m')), '/tmp is not of 64 MB'),
    ...when(!volumesOf(service).some(({ to }) => to === '/data'), '/data lies in no volume'),
    ...when(lasts && seconds(service.stop_grace_period) < (role === 'worker' ? 90 : 40), 'it is given too little time to stop'),
    ...environment
      .map(([name]) => name)
      .filter((name) => !settings.has(name) && !settings.has(name.replace(/_FILE$/, '')))
      .map((name) => `${name} is no setting`),
  ]
}
