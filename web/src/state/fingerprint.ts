import { local } from './storage.ts'

const key = 'fingerprint'

const browsers: readonly [RegExp, string][] = [
  [/MicroMessenger/i, 'wechat'],
  [/Edg\//, 'edge'],
  [/OPR\//, 'opera'],
  [/Firefox\//, 'firefox'],
  [/Chrome\//, 'chrome'],
  [/Safari\//, 'safari'],
]
const systems: readonly [RegExp, string][] = [
  [/Windows/, 'windows'],
  [/Android/, 'android'],
  [/iPhone|iPad/, 'ios'],
  [/Mac OS X/, 'macos'],
  [/Linux/, 'linux'],
]
const first = (table: readonly [RegExp, string][], agent: string) => table.find(([mark]) => mark.test(agent))?.[1] ?? 'other'

/** `${device}-${browser}-${os}-${random}`, made once and kept: it marks 本机 in the login history, it is no credential. */
export function fingerprint(): string {
  const kept = local.read<string>(key)
  if (kept) return kept
  const agent = navigator.userAgent
  const device = /Mobi|iPhone|Android/.test(agent) ? 'mobile' : /iPad|Tablet/.test(agent) ? 'tablet' : 'desktop'
  const random = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const made = [device, first(browsers, agent), first(systems, agent), random].join('-')
  local.write(key, made)
  return made
}
