import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFigures } from '../fixtures/figures.ts'
import { readDrillOptions } from './drill-options.ts'

// `npm run mutants [-- word …]`: whether the tests have teeth (G19). Each mutant is the server with one guard of money or identity taken out, in
// a copy; the tests that are named for it must fail, after having passed on a copy that nothing was taken out of. Prints a line for each.
// `--quick` takes the few whose tests are short.

interface Edit {
  readonly file: string
  readonly from: string
  readonly to: string
}

interface Mutant {
  readonly name: string
  readonly edits: readonly Edit[]
  /** Below `server`. */
  readonly test: string
  /** Of that file, the tests whose names have this. */
  readonly only?: string
  /** One of those that `--quick` takes. */
  readonly quick?: true
}

const migration = 'src/db/migrations/0016-orders.sql'
const settle = 'src/payment/settle.ts'
const noTransaction: readonly Edit[] = [
  {
    file: 'src/db/in-transaction.ts',
    from: 'db.transaction().execute(work)',
    to: 'db.connection().execute((one) => work(one as Transaction<Database>))',
  },
]
const mutants: readonly Mutant[] = [
  {
    name: 'no transaction',
    edits: noTransaction,
    test: 'test/flows/pay-races.test.ts',
    only: 'between a payment and its days',
  },
  {
    name: 'no transaction, under kills',
    edits: noTransaction,
    test: 'test/drills/pay-drill.test.ts',
    only: 'SIGKILL',
  },
  {
    name: 'no grant key',
    edits: [{ file: migration, from: 'order_id uuid unique references vip_order (id),', to: 'order_id uuid references vip_order (id),' }],
    test: 'test/flows/order-states.test.ts',
    quick: true,
  },
  {
    name: 'two payments of an order grant',
    edits: [{ file: migration, from: 'create unique index payment_that_grants', to: 'create index payment_that_grants' }],
    test: 'test/flows/order-states.test.ts',
  },
  {
    name: 'money written twice',
    edits: [{ file: settle, from: "      .onConflict((conflict) => conflict.column('transaction_id').doNothing())\n", to: '' }],
    test: 'test/flows/pay-notices.test.ts',
    only: 'sent a hundred times',
  },
  {
    name: 'answer before commit',
    edits: [
      {
        file: 'src/payment/payment-notification.ts',
        from: 'const outcome = await effectOf(deps, event_type, jsonOf(opened))',
        to: "void effectOf(deps, event_type, jsonOf(opened)).catch(() => {})\n  const outcome = 'granted'",
      },
    ],
    test: 'test/flows/pay-races.test.ts',
    only: 'between a payment and its days',
  },
  {
    name: 'no row lock',
    edits: [
      {
        file: settle,
        from: "where('id', '=', attempt.order_id).forUpdate()",
        to: "where('id', '=', attempt.order_id)",
      },
    ],
    test: 'test/flows/pay-races.test.ts',
    only: 'concurrently',
  },
  {
    name: 'no amount check',
    edits: [{ file: settle, from: "['appId', 'mchId', 'totalFen', 'currency'] as const", to: "['appId', 'mchId', 'currency'] as const" }],
    test: 'test/flows/pay-notices.test.ts',
  },
  {
    name: 'payer_total used',
    edits: [{ file: 'src/payment/trade.ts', from: 'totalFen: amount.total,', to: 'totalFen: amount.payer_total ?? amount.total,' }],
    test: 'test/flows/buying.test.ts',
    only: 'coupon',
  },
  {
    name: 'no signature check',
    edits: [
      {
        file: 'src/payment/signature.ts',
        from: "return verify('RSA-SHA256', linesOf(timestamp, once, body), key, Buffer.from(signature, 'base64'))",
        to: "verify('RSA-SHA256', linesOf(timestamp, once, body), key, Buffer.from(signature, 'base64'))\n  return true",
      },
    ],
    test: 'test/flows/pay-notices.test.ts',
    only: 'changed anywhere',
  },
  {
    name: 'notices of any age',
    edits: [{ file: 'src/payment/signature.ts', from: '<= windowSeconds', to: '<= windowSeconds * 1_000_000' }],
    test: 'test/flows/pay-notices.test.ts',
    quick: true,
  },
  {
    name: 'late money gives days',
    edits: [{ file: settle, from: "status === orderStatus.quit || !user ? 'LATE'", to: "!user ? 'LATE'" }],
    test: 'test/flows/buying.test.ts',
    only: 'a payment after the order was closed',
  },
  {
    name: 'second money is kept',
    edits: [{ file: settle, from: '      await refundPayment(tx, money, reason)\n', to: '' }],
    test: 'test/flows/buying.test.ts',
    only: 'of two payments one grants',
  },
  {
    name: 'days from now, not from the end',
    edits: [{ file: 'src/user/subscription.ts', from: 'Math.max(grantedAt, end)', to: 'grantedAt' }],
    test: 'src/user/subscription.test.ts',
    quick: true,
  },
  {
    name: 'another’s order',
    edits: [
      {
        file: 'src/payment/orders.ts',
        from: "    .where('id', '=', id)\n    .where('user_id', '=', userId)\n    .forUpdate()",
        to: "    .where('id', '=', id)\n    .forUpdate()",
      },
    ],
    test: 'test/flows/pay-races.test.ts',
    only: 'somebody else’s order',
  },
  {
    name: 'no compare-and-set in a refresh',
    edits: [{ file: 'src/user/sessions.ts', from: "    .where('refresh_hash', '=', hash)\n", to: '' }],
    test: 'src/user/tokens.test.ts',
    quick: true,
  },
  {
    name: 'a code is not burnt',
    edits: [{ file: 'src/user/codes.ts', from: '.set({ used_at: sql<Date>`clock_timestamp()` })', to: '.set({ used_at: null })' }],
    test: 'test/flows/registration.test.ts',
    only: 'is valid once',
  },
  {
    name: 'cancel is not wired',
    edits: [
      {
        file: 'src/quant/routes.ts',
        from: 'await retryWrite(() => endRun(db, queue, run.id, ending))',
        to: 'void [retryWrite, endRun, ending]',
      },
    ],
    test: 'test/flows/run-starts.test.ts',
    only: 'a closed socket cancels',
  },
  {
    name: 'a result is told before its commit',
    edits: [
      {
        file: 'src/quant/run-state.ts',
        from: 'await lastEvent(transaction, run.id, resultEvent(',
        to: 'await lastEvent(db as Transaction<Database>, run.id, resultEvent(',
      },
    ],
    test: 'test/flows/runs.test.ts',
    only: 'whose commit fails',
  },
  {
    name: 'a large refund in parts by one person',
    edits: [
      { file: 'src/payment/administration.ts', from: 'if (back + amount > oneOperatorLimitFen', to: 'if (amount > oneOperatorLimitFen' },
    ],
    test: 'test/flows/reconcile.test.ts',
    only: 'in parts',
  },
]

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The server and the files at the root as copies, all other folders where they are. */
function copyServer(): string {
  const folder = mkdtempSync(join(tmpdir(), 'convexa-mutant-'))
  for (const one of readdirSync(root, { withFileTypes: true })) {
    const [from, to] = [join(root, one.name), join(folder, one.name)]
    if (one.name === 'server') cpSync(from, to, { recursive: true, filter: (path) => !path.includes('node_modules', from.length) })
    else if (one.isFile()) cpSync(from, to)
    else if (one.name !== '.git') symlinkSync(from, to)
  }
  symlinkSync(join(root, 'server/node_modules'), join(folder, 'server/node_modules'))
  return folder
}

/** Takes it out, and must find it exactly once: a mutant that changes nothing would be a lie. */
function edit(folder: string, { file, from, to }: Edit): void {
  const path = join(folder, 'server', file)
  const parts = readFileSync(path, 'utf8').split(from)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${from}`)
  writeFileSync(path, parts.join(to))
}

/** @returns how many tests passed and failed; none of either when the file did not even load, or did not come to an end */
function run(folder: string, { test, only }: Mutant): { passed: number; failed: number } {
  const report = join(folder, 'report.json')
  rmSync(report, { force: true })
  const args = ['run', '--project', 'server', '--reporter=json', `--outputFile=${report}`, `server/${test}`]
  spawnSync(join(root, 'node_modules/.bin/vitest'), [...args, ...(only ? ['-t', only] : [])], {
    cwd: folder,
    stdio: 'ignore',
    timeout: 600_000,
  })
  // Stopped after ten minutes it has none.
  if (!existsSync(report)) return { passed: 0, failed: 0 }
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(report, 'utf8')) as Record<string, number>
  return { passed: passed ?? 0, failed: failed ?? 0 }
}

const { quick, words } = readDrillOptions({}, { words: true })
const chosen = mutants.filter((one) => (!quick || one.quick) && (words.length === 0 || words.some((word) => one.name.includes(word))))
const figures = openFigures()
const sound = new Map<string, boolean>()
for (const mutant of chosen) {
  const folder = copyServer()
  try {
    const key = `${mutant.test} ${mutant.only ?? ''}`
    if (!sound.has(key)) {
      const { passed, failed } = run(folder, mutant)
      sound.set(key, passed > 0 && failed === 0)
    }
    for (const one of mutant.edits) edit(folder, one)
    const { passed, failed } = run(folder, mutant)
    const isSound = sound.get(key) === true
    const seen = isSound ? `${failed} of ${passed + failed} tests fail` : 'the tests fail without it, too'
    // One that no test was run against is not caught but broken.
    figures.goal(mutant.name, `${seen} (${mutant.test})`, 'caught', isSound && failed > 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
process.exit(figures.end())
