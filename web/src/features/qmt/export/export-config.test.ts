import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { CallError } from '../../../api/messages.ts'
import { DamagedDownloadError, refusalOf } from './export-config.ts'
import { sha256 } from './sha256.ts'
import { zipFiles } from './zip-files.ts'

/** An archive of a few files, as the format has it; their checksums are not looked at. */
function archive(files: Record<string, string>): ArrayBuffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  for (const [name, text] of Object.entries(files)) {
    const [path, packed] = [Buffer.from(name, 'utf8'), deflateRawSync(Buffer.from(text))]
    const shared = Buffer.alloc(26)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(Buffer.byteLength(text), 18)
    shared.writeUInt16LE(path.length, 22)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, Buffer.alloc(14), path)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), shared, path, packed)
  }
  const [body, listed, end] = [Buffer.concat(parts), Buffer.concat(directory), Buffer.alloc(22)]
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(body.length, 16)
  return new Uint8Array(Buffer.concat([body, listed, end])).buffer
}

test('an archive says which files are in it and how large they are', () => {
  expect(zipFiles(archive({ 'config.json': '{}', '使用说明.txt': '说明' }))).toEqual([
    { name: 'config.json', size: 2 },
    { name: '使用说明.txt', size: 6 },
  ])
  expect(() => zipFiles(new ArrayBuffer(40))).toThrow()
})

test('the checksum is that of everybody else', async () => {
  expect(await sha256(new TextEncoder().encode('abc').buffer)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test.each<[why: unknown, title: RegExp]>([
  [new CallError('response', '演示数据不能用于交易', 24011), /演示数据/],
  [new CallError('response', '自动交易已停止，请先重新启用', 24005), /急停/],
  [new CallError('response', '服务繁忙，请稍后重试', 50301), /服务繁忙/],
  [new DamagedDownloadError(), /损坏/],
  [new Error('x'), /没有导出/],
])('a refusal is said in plain words: %s', (why, title) => {
  expect(refusalOf(why, false).title).toMatch(title)
  expect(refusalOf(why, false).text).not.toBe('')
})

test.each([
  [new CallError('timeout', '网络异常'), true],
  [new TypeError('network'), true],
  [new DamagedDownloadError(), true],
  [new CallError('response', '请求出错', 0, null, 504), true],
  [new CallError('response', '没有验证身份', 11013), false],
])('an archive with a key that did not arrive may have cost the one before: %s', (why, lost) => {
  expect(/新密钥可能已经生成/.test(refusalOf(why, true).text)).toBe(lost)
  expect(refusalOf(why, false).text).not.toMatch(/新密钥可能/)
})
