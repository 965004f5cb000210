import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { testCode } from './code.ts'

const program = fileURLToPath(new URL('../../convexa.mjs', import.meta.url))

export interface Ran {
  readonly exit: number | null
  readonly out: string
  readonly err: string
}

/** Starts `convexa …` as an operator would. */
export function start(env: Record<string, string>, ...args: string[]): { child: ChildProcess; ended: Promise<Ran> } {
  const { DATABASE_URL: _url, DATA_DIR: _dir, ...inherited } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...inherited, ...testCode, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  const ended = new Promise<Ran>((resolve) => child.once('close', (exit) => resolve({ exit, ...texts })))
  return { child, ended }
}

/** Runs `convexa …` to its end. */
export const convexa = (env: Record<string, string>, ...args: string[]): Promise<Ran> => start(env, ...args).ended
