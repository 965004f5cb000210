import { isIPv6 } from 'node:net'

/**
 * The address alone: without the port that some proxies tell with it, without the name of our interface (link-local). An IPv4 address that
 * came over IPv6 is an IPv4 address.
 */
export const plainAddress = (ip: string): string =>
  ip
    .replace(/^\[(.*)\](:\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/^::ffff:/, '')
    .replace(/%.*$/, '')

/** Neighbours share a line: IPv4 by /24, IPv6 by /64. */
export function networkOf(ip: string): string {
  const v4 = plainAddress(ip)
  if (!isIPv6(v4)) return v4.split('.').slice(0, 3).join('.')
  const [head = '', tail = ''] = v4.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const middle = v4.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  return [...left, ...middle, ...right]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
