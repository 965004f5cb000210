import { z } from 'zod'
import { bookDoubts } from './book-doubt.ts'
import { callTable } from './call-table.ts'
import { endpoint } from './endpoint.ts'
import { page, pageQuery } from './envelope.ts'
import { Basket, BasketBody, DryRun, DryRunBody, Holding, mostHoldings, Side, Volume } from './qmt-basket.ts'
import { Id, Instant, IsoDate, num, SecurityCode, text } from './scalars.ts'

// What is traded: targets, what the client tells of them, and the calls of lists, dry runs and clients.

const TargetItem = z.object({
  code: z.string(),
  name: z.string(),
  rank: z.int(),
  /** Fraction of the capital; 0: kept while held, never bought. */
  weight: z.number(),
  ref_price: z.number(),
  /** Smallest order and its step. */
  lot_min: z.int(),
  lot_step: z.int(),
})
export type TargetItem = z.output<typeof TargetItem>

/** What happens to a security on a day that its holders must follow. */
const SecurityEvent = z.object({
  day: z.string(),
  /** `ended`: it left the market, and nobody knows why. */
  kind: z.enum(['shares', 'merge', 'called', 'matured', 'converted', 'delisted', 'ended', 'renamed']),
  /** New shares a share; yuan a share; the new code. */
  ratio: z.number().optional(),
  cash: z.number().optional(),
  to: z.string().optional(),
})
export type SecurityEvent = z.output<typeof SecurityEvent>

/** What the client must know of a security that it holds, wants or asks about. */
const SecurityFacts = z.object({
  code: z.string(),
  lot_min: z.int(),
  lot_step: z.int(),
  /** Of the day of the signal, as it was paid; null: not known. */
  close: num,
  /** What the other configs of the same account last told for real. */
  others: z.int(),
  events: z.array(SecurityEvent),
})
export type SecurityFacts = z.output<typeof SecurityFacts>

/** What a config trades on a day, the best first. */
export const Targets = z.object({
  config_id: z.string(),
  config_version: z.int(),
  date: z.string(),
  signal_date: z.string(),
  generated_at: z.string(),
  valid_until: z.string(),
  /** Yuan that may be bought for: the reserve is taken off. */
  money: z.number(),
  items: z.array(TargetItem),
  /** SHA-256 of the lines that `qmt-client` makes of it. */
  checksum: z.string(),
  /** true: nothing may be ordered and what is open is cancelled; `halt_reason` says why. */
  halt: z.boolean(),
  halt_reason: z.string(),
  /** Made anew at each pull; `checksum` is that of its rows alone. */
  facts: z.object({ rows: z.array(SecurityFacts), checksum: z.string() }).optional(),
})
export type Targets = z.output<typeof Targets>

const OrderId = z.string().regex(/^[0-9A-Z]{4,24}$/)

/** A security of which nothing is traded until its question has an answer. */
const Resting = z.strictObject({
  code: SecurityCode,
  /** order: its order has no end; else why its book is in doubt. */
  why: z.enum(['order', ...bookDoubts]),
  since: IsoDate,
  order_id: OrderId.optional(),
  /** Volumes of the account, and of the book. */
  account: Volume.optional(),
  book: Volume.optional(),
})
export type Resting = z.output<typeof Resting>

/** One change of the book that no order made. */
const BookChange = z.strictObject({
  code: SecurityCode,
  date: IsoDate,
  why: z.enum(['follow', 'cut', 'back', 'user', 'opening']),
  before: Volume,
  after: Volume,
})
export type BookChange = z.output<typeof BookChange>

/**
 * `start`: the line that the client's process began with; `starts`: processes that wrote the journal, the last ones. Of two processes on
 * copies of one journal they tell which is which.
 */
const Journal = z.strictObject({
  id: text(64, 1),
  n: z.int().min(0),
  opening: text(64, 1).optional(),
  start: z.strictObject({ n: z.int().min(1), token: text(64, 1) }).optional(),
  starts: z.array(text(64, 1)).max(50).optional(),
})

/** unsure: whether it was filled is not known; the user is asked. */
const OrderStatus = z.enum(['open', 'filled', 'part_cancelled', 'cancelled', 'rejected', 'unsure'])

const Fill = z.strictObject({
  /** Made by the client of config, date, security, side and leg: told again it is the same order. */
  order_id: OrderId,
  trade_date: IsoDate,
  code: SecurityCode,
  side: Side,
  volume: z.int().min(1).max(1_000_000_000),
  filled: Volume,
  /** Mean of what was filled. */
  price: z.number().gt(0).max(1e7).nullable(),
  status: OrderStatus,
  note: text(200),
  dry_run: z.boolean(),
  ordered_at: Instant,
  /** The order's own price. */
  limit: z.number().gt(0).max(1e7).optional(),
  /** Line of the journal that says so: of two tellings the larger one counts. */
  seq: z.int().min(0).optional(),
  /** Why it has ended: by its row in the terminal, by positions of a later day, by the user's word; or it was never sent. */
  proof: z.enum(['list', 'positions', 'user', 'not_sent']).optional(),
})
export type Fill = z.output<typeof Fill>

export const Heartbeat = z.strictObject({
  config_id: Id,
  client_version: text(30, 1),
  dry_run: z.boolean(),
  /** What it holds that this config has bought. */
  holdings: z.array(Holding).max(mostHoldings),
  /** It remembers no plan at all: what it held before it would take for somebody else's, and buy again. */
  fresh: z.boolean().optional(),
  note: text(200).optional(),
  /** From 2.0.0 on. `n`: lines of the journal; `opening`: the site's record that it was opened with. */
  journal: Journal.optional(),
  /** The client has a plan for today and may still place orders; false: it has reported all of its orders. */
  may_order: z.boolean().optional(),
  resting: z.array(Resting).max(mostHoldings).optional(),
  changes: z.array(BookChange).max(100).optional(),
  /** Words of the user's on books that it has taken. */
  words: z.array(text(64, 1)).max(100).optional(),
  /** By how much the computer's clock is off. */
  offset_ms: z.int().optional(),
  /** Counts logins of the terminal. */
  session: z.int().min(0).optional(),
  /** What became of orders, as `holdings` have it: kept in one step with them, so that no record counts an order twice or not at all. */
  fills: z.array(Fill).max(200).optional(),
})
export type Heartbeat = z.output<typeof Heartbeat>

/** What the site answers: whether to stop, its time, and the user's words, which it says again until the client has them. */
export const HeartbeatAnswer = z.object({
  halt: z.boolean(),
  halt_reason: z.string(),
  server_time: z.string(),
  server_ms: z.int(),
  /** `word`: which word of the user's it is. */
  settled: z.array(z.object({ order_id: z.string(), filled: z.int(), word: z.string() })),
  books: z.array(z.object({ code: z.string(), volume: z.int(), word: z.string() })),
  /** The site's record in place of a journal that is gone. */
  opening: z
    .object({
      token: z.string(),
      /** The largest `seq` of these orders: what a new journal tells of them counts on from it. */
      seq: z.int().optional(),
      book: z.array(Holding),
      orders: z.array(
        z.object({
          order_id: z.string(),
          trade_date: z.string(),
          code: z.string(),
          side: Side,
          volume: z.int(),
          filled: z.int(),
          price: z.number(),
        }),
      ),
    })
    .nullable(),
})
export type HeartbeatAnswer = z.output<typeof HeartbeatAnswer>

export const FillsBody = z.strictObject({ config_id: Id, fills: z.array(Fill).min(1).max(200) })
export type FillsBody = z.output<typeof FillsBody>

export const FillListItem = z.object({
  ...Fill.omit({ limit: true, seq: true, proof: true }).shape,
  /** As the targets of the config had it; '' where they never did. */
  name: z.string(),
  amount: z.number(),
  told_at: z.string(),
})
export type FillListItem = z.output<typeof FillListItem>

/** An order whose end is not known. `settled_filled`: the user's word, which the client has not told back yet. */
export const OrderQuestion = z.object({
  config_id: z.string(),
  config_name: z.string(),
  order_id: z.string(),
  trade_date: z.string(),
  ordered_at: z.string(),
  code: z.string(),
  name: z.string(),
  side: Side,
  volume: z.int(),
  filled: z.int(),
  price: num,
  status: OrderStatus,
  /** Volumes of the account, the book and the other configs of the account, as they were last told. */
  account: z.int().nullable(),
  book: z.int(),
  others: z.int(),
  /** Whether less than the whole may be said already: not before 15:05 of its day. */
  is_over: z.boolean(),
  settled_filled: z.int().nullable(),
  /** It has ended by positions or by a word, which may be corrected for ten trading days. */
  is_correction: z.boolean(),
})
export type OrderQuestion = z.output<typeof OrderQuestion>

/** A security of which the account and the book differ. */
export const BookQuestion = z.object({
  config_id: z.string(),
  config_name: z.string(),
  code: z.string(),
  name: z.string(),
  why: z.enum(bookDoubts),
  since: z.string(),
  account: z.int().nullable(),
  book: z.int(),
  others: z.int(),
  /** The user's word, which the client has not taken yet. */
  settled_volume: z.int().nullable(),
})
export type BookQuestion = z.output<typeof BookQuestion>

/** A client that is stopped since its journal is not the one of before. */
export const JournalQuestion = z.object({
  config_id: z.string(),
  config_name: z.string(),
  /** lost: nothing is left of it; damaged; other: of another computer, or an old copy. */
  state: z.enum(['lost', 'damaged', 'other']),
  at: z.string(),
  /** What the site knows and what the client told. */
  site: z.array(Holding),
  client: z.array(Holding),
  use: z.enum(['client', 'site']).nullable(),
})
export type JournalQuestion = z.output<typeof JournalQuestion>

export const Questions = z.object({
  orders: z.array(OrderQuestion),
  books: z.array(BookQuestion),
  journals: z.array(JournalQuestion),
  /** Changes of books of the last ten trading days, the newest first. */
  changes: z.array(
    z.object({
      ...BookChange.shape,
      config_name: z.string(),
      name: z.string(),
    }),
  ),
})
export type Questions = z.output<typeof Questions>

const own = z.object({ id: Id })

export const qmtTrade = {
  basket: endpoint(callTable.qmt.basket, { summary: '导出篮子文件', body: BasketBody, data: Basket }),
}

export const qmtDryRun = {
  dryRun: endpoint(callTable.qmt.dryRun, {
    summary: '模拟演练：目标与持仓的差异',
    params: own,
    body: DryRunBody,
    data: DryRun,
  }),
  confirm: endpoint(callTable.qmt.confirm, {
    summary: '确认演练的差异',
    params: own,
    body: z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    data: z.object({ confirmed_at: z.string() }),
  }),
  exportConfig: endpoint(callTable.qmt.exportConfig, {
    summary: '导出运行配置与客户端（zip）',
    params: own,
    query: z.object({ with_key: z.enum(['0', '1']).optional() }),
    file: 'application/zip',
    data: z.unknown(),
  }),
  fillList: endpoint(callTable.qmt.fillList, {
    summary: '客户端回报的委托与成交',
    params: own,
    query: pageQuery,
    data: page(FillListItem),
  }),
  questions: endpoint(callTable.qmt.questions, { summary: '待核对的委托与账本', data: Questions }),
  settleOrder: endpoint(callTable.qmt.settleOrder, {
    summary: '回答一笔待核对委托的成交数量',
    params: z.object({ id: Id, order_id: OrderId }),
    body: z.strictObject({ filled: Volume }),
    data: z.object({}),
  }),
  settleBook: endpoint(callTable.qmt.settleBook, {
    summary: '回答本配置持有一只证券的数量',
    params: z.object({ id: Id, code: SecurityCode }),
    body: z.strictObject({ volume: Volume }),
    data: z.object({}),
  }),
  useJournal: endpoint(callTable.qmt.useJournal, {
    summary: '客户端的委托记录不符时，以哪一方为准（须验证密码）',
    params: own,
    body: z.strictObject({ use: z.enum(['client', 'site']) }),
    data: z.object({}),
  }),
}

/** Calls of the users' own clients: no login, a key in `X-Api-Key`. */
export const qmtClient = {
  targets: endpoint(callTable.qmtClient.targets, {
    summary: '客户端拉取目标',
    scope: 'read',
    /** Without a date those of the first trading day that has not closed: what a rehearsal in the evening asks for. */
    query: z.object({ config_id: Id, date: IsoDate.optional() }),
    data: Targets,
  }),
  heartbeat: endpoint(callTable.qmtClient.heartbeat, {
    summary: '客户端心跳',
    scope: 'report',
    body: Heartbeat,
    data: HeartbeatAnswer,
  }),
  fills: endpoint(callTable.qmtClient.fills, {
    summary: '客户端回报成交（按委托号幂等）',
    scope: 'report',
    body: FillsBody,
    data: z.object({ kept: z.int() }),
  }),
}
