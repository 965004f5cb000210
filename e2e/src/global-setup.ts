import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepare } from '../../scripts/prepare.mjs'
import { unpackChromium } from './chromium.ts'
import { type FakePay, startFakePay } from './fake-pay.ts'
import { type FakeWechat, startFakeWechat } from './fake-wechat.ts'
import { type Product, startProduct } from './product.ts'
import { startUserDesk, type UserDesk } from './user-desk.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    url: string
    dataDir: string
    wechatUrl: string
    /** The stand-in for WeChat Pay. */
    payUrl: string
    /** Where accounts are made. */
    deskUrl: string
  }
}

let product: Product
let wechat: FakeWechat
let pay: FakePay
let desk: UserDesk

/** Starts what all journeys share, or nothing: where one part cannot be started the others end. */
export async function setup(project: TestProject): Promise<void> {
  try {
    await start(project)
  } catch (error) {
    await teardown()
    throw error
  }
}

/** Starts the product once for all journeys, on a fresh data directory, with the stand-ins for WeChat and its payments; nobody sends its messages. */
async function start(project: TestProject): Promise<void> {
  // Compiled code is shared by all products of all journeys, and with the server's tests.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'convexa-test-code')
  rmSync(new URL('../artefacts', import.meta.url), { recursive: true, force: true })
  prepare({ web: true, browser: true })
  // First: it is what may be missing.
  await unpackChromium()
  ;[wechat, pay] = await Promise.all([startFakeWechat(), startFakePay()])
  // Journeys say where they come from: limits for one address are not spent by all of them together.
  product = await startProduct(300, { env: { ...wechat.env, ...pay.env, TRUST_PROXY: '127.0.0.1' } })
  desk = await startUserDesk(product.dataDir)
  project.provide('url', product.url)
  project.provide('dataDir', product.dataDir)
  project.provide('wechatUrl', wechat.url)
  project.provide('payUrl', pay.url)
  project.provide('deskUrl', desk.url)
}

export async function teardown(): Promise<void> {
  await desk?.stop()
  await product?.stop()
  await wechat?.stop()
  await pay?.stop()
}
