import { deviceOf } from './device.ts'
import { fits } from './shapes.ts'
import { local } from './storage.ts'

const key = 'fingerprint'
let made: string | null = null

/** `${device}-${browser}-${os}-${random}`, made once and kept: it marks 本机 in the login history, it is no credential. */
export function fingerprint(): string {
  made ??= kept() ?? make()
  return made
}

const kept = () =>
  local.read(
    key,
    fits<string>((value) => typeof value === 'string' && /^[\w-]{8,100}$/.test(value)),
  )

function make(): string {
  const { type, browser, system } = deviceOf(navigator.userAgent, navigator.maxTouchPoints > 1)
  const random = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  const text = [type, browser, system, random].join('-')
  local.write(key, text)
  return text
}
