import { expect, test } from 'vitest'
import { networkOf } from '../http/address.ts'
import { sourceHash } from './addresses.ts'

test.each([
  ['203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['203.0.113.7:51234', '203.0.113'],
  ['[2001:db8:1:2::9]:51234', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s is a neighbour of all in %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test('an address is the same source of codes however it is told', () => {
  const secrets = { secretKey: 'k'.repeat(32), oldSecretKey: null, dataDir: '' }
  const one = (...ips: string[]) => new Set(ips.map((ip) => sourceHash(secrets, ip).toString('hex'))).size
  expect(one('203.0.113.7', '::ffff:203.0.113.7', '203.0.113.7:51234', '203.0.113.7:51235')).toBe(1)
  expect(one('2001:db8:1:2::9', '[2001:db8:1:2::a]:443')).toBe(1)
  expect(one('203.0.113.7', '203.0.113.8')).toBe(2)
})
