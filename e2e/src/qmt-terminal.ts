// The trading terminal of a user: the files that it is given, and what its client reports to the site.
import { execFile, spawnSync } from 'node:child_process'
import type { HeartbeatAnswer } from '@convexa/contract/qmt-trade'
import { expect } from 'vitest'

/** Whether the client can be run here. */
export const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 6))']).status === 0

/** Runs Python. @returns its exit code and all that it printed */
export const runPython = (args: readonly string[]) =>
  new Promise<{ exit: number; said: string }>((resolve) => {
    const env = { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' }
    execFile('python3', args, { env }, (error, out, said) => resolve({ exit: error ? Number(error.code) || 1 : 0, said: out + said }))
  })

/** Unpacks the archive of the folder that was confirmed. @returns the folder of the client */
export const unpackClient = async (folder: string): Promise<string> => (await runPython(['-c', unpack, folder])).said.trim()

const unpack = `
import glob, os, sys, zipfile
path = [one for one in glob.glob(os.path.join(sys.argv[1], '*.zip')) if u'\\u672a\\u786e\\u8ba4' not in one][0]
target = os.path.join(sys.argv[1], 'client')
zipfile.ZipFile(path).extractall(target)
print(target)
`

/** The reading rule of a basket (domain.md 7.4): GBK, keys of code and market, weights over their sum. */
export function readBasket(bytes: Buffer) {
  const [head, ...lines] = new TextDecoder('gbk', { fatal: true }).decode(bytes).trimEnd().split('\r\n')
  expect(head).toBe('代码,市场,数量,相对权重,方向,指定价,量比')
  const rows = lines.map((line) => line.split(','))
  const sum = rows.reduce((total, row) => total + Number(row[3]), 0)
  return rows.map(([code, market, volume, weight, side]) => ({
    key: `${code}.${market}`,
    volume: Number(volume),
    target: (100_000 * Number(weight)) / sum,
    side,
  }))
}

/** What a client reports. */
export interface Client {
  beat(over: object): Promise<HeartbeatAnswer>
  fills(fills: readonly object[]): Promise<void>
}

/** The client of a config, by the key of its user. Each call throws what was refused. */
export function clientOf(url: string, apiKey: string, config: string): Client {
  const tell = async (path: 'heartbeat' | 'fills', body: object) => {
    const response = await fetch(`${url}/v1/qmt-client/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ config_id: config, ...body }),
    })
    const { code, msg, data } = await response.json()
    if (code !== 0) throw new Error(`${code} ${msg}`)
    return data
  }
  return {
    beat: (over) => tell('heartbeat', { client_version: '2.0.0', dry_run: false, fresh: false, session: 1, ...over }),
    fills: async (fills) => void (await tell('fills', { fills })),
  }
}

/** A day before or after today in Shanghai. */
export function shanghaiDay(days: number): string {
  return new Date(Date.now() + (days * 24 + 8) * 3_600_000).toISOString().slice(0, 10)
}
