import { restWords } from '@convexa/contract/alert-text'
import { mostHeld } from '@convexa/contract/book-doubt'
import { calls } from '@convexa/contract/calls'
import type { ConfigListItem } from '@convexa/contract/qmt'
import type { BookQuestion, JournalQuestion, OrderQuestion, Questions } from '@convexa/contract/qmt-trade'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { dateTime } from '../../../base/dates.ts'
import { count, fixed } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { NumberField } from '../../../ui/controls.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { toast } from '../../../ui/toast.tsx'
import { reAuthed } from '../../account/re-auth.ts'
import { qmtChanged, questionsQuery } from '../qmt-queries.ts'
import { changeWords, isOnline, isQuiet, journalWords, openCount, stateOf, volumesOf, waitWords } from './questions.ts'
import styles from './questions-card.module.css'

/** 待核对的委托: what the client does not know and only the user can say. Nothing is shown before a client was at work. */
export function QuestionsCard({ configs, onGuide }: { configs: readonly ConfigListItem[]; onGuide: () => void }) {
  const { data } = useQuery(questionsQuery)
  const { busy, refused, run } = useAction()
  const guide = (
    <Button look={['small', 'ghost']} icon="help" onClick={onGuide}>
      客户端怎样处理
    </Button>
  )
  if (!data) return null
  if (isQuiet(data)) {
    if (configs.every(({ last_heartbeat: heartbeatAt }) => heartbeatAt === null)) return null
    return (
      <Card title="待核对的委托" tools={guide}>
        <p className="size-13 text-2">没有待核对的委托。客户端不知道一笔委托是否成交时不猜，也不再发，会在这里问你。</p>
      </Card>
    )
  }
  const heartbeatOf = new Map(configs.map(({ id, last_heartbeat: heartbeatAt }) => [id, heartbeatAt]))
  const online = (id: string) => isOnline(heartbeatOf.get(id) ?? null, Date.now())
  const asking = new Set([...data.orders, ...data.books].map(({ config_id: id }) => id))
  const away = configs.filter(({ id }) => asking.has(id) && !online(id))
  const say = async (act: () => Promise<unknown>) => {
    if (!(await run(act))) return
    await qmtChanged()
    toast.done('已记下，客户端在下一次心跳时收到')
  }
  const open = openCount(data)
  return (
    <Card
      title="待核对的委托"
      note={open > 0 ? `${open} 项待回答` : '没有待回答的'}
      tools={guide}
      foot="回答之前，客户端不买卖这些证券，占用的资金与位置都保留。请先在终端的当日委托、历史成交里核对。"
    >
      <FieldError>{refused}</FieldError>
      {away.map(({ id, name, last_heartbeat: heartbeatAt }) => (
        <p key={id} className={styles.qmtAway}>
          「{name}」的客户端不在线{heartbeatAt && `，最近心跳 ${dateTime(heartbeatAt).slice(0, 16)}`}。回答会保留，它下次运行时收到。
        </p>
      ))}
      {data.journals.map((one) => (
        <JournalRow key={one.config_id} question={one} busy={busy} say={say} />
      ))}
      {data.orders.length > 0 && (
        <ul className={styles.qmtQuestions} aria-label="委托">
          {data.orders.map((one) => (
            <OrderRow key={`${one.config_id} ${one.order_id}`} question={one} online={online(one.config_id)} busy={busy} say={say} />
          ))}
        </ul>
      )}
      {data.books.length > 0 && (
        <ul className={styles.qmtQuestions} aria-label="账本">
          {data.books.map((one) => (
            <BookRow key={`${one.config_id} ${one.code}`} question={one} online={online(one.config_id)} busy={busy} say={say} />
          ))}
        </ul>
      )}
      {data.changes.length > 0 && <Changes changes={data.changes} />}
    </Card>
  )
}

interface Asked<Question> {
  question: Question
  busy: boolean
  say: (act: () => Promise<unknown>) => Promise<void>
}

/** What is asked of something whose client may be away. */
type AskedOf<Question> = Asked<Question> & { online: boolean }

function OrderRow({ question, online, busy, say }: AskedOf<OrderQuestion>) {
  const [part, setPart] = useState<number | null>(null)
  const { config_id: id, config_name: config, order_id, code, name, side, volume, price, ordered_at: at, is_over: over } = question
  const what = `${name || code} ${side === 'buy' ? '买入' : '卖出'} ${volume}`
  const settle = async (filled: number) => {
    const meant =
      filled >= volume ||
      (await confirm({
        title: filled === 0 ? '这笔委托没有成交？' : `这笔委托只成交了 ${filled}？`,
        text: `${filled === 0 ? '没有成交' : '部分成交'}：客户端会按目标再次委托。请先在终端的当日委托、历史成交里核对。${over ? '' : '收盘前它仍可能成交，这个回答在委托当日 15:05 之后生效。'}`,
        action: '已核对',
        icon: 'warn',
      }))
    if (meant) await say(() => call(calls.qmt.settleOrder, { params: { id, order_id }, body: { filled } }))
  }
  const isPart = part !== null && Number.isInteger(part) && part > 0 && part < volume
  return (
    <li>
      <Row as="p" wrap className={styles.qmtQuestion}>
        <b>{what}</b> <span className="mono">{code}</span>
        <Badge look={isAsked(question) ? 'warn' : 'plain'}>{stateOf(question, online)}</Badge>
      </Row>
      <p className="size-12 text-2">
        {fixed(price, 3)} 元 · {dateTime(at).slice(0, 19)} · {config} · {volumesOf(question)}
      </p>
      <Row gap={8} wrap className={styles.qmtAnswers}>
        <Button look={['small']} disabled={busy} aria-label={`${what} 全部成交`} onClick={() => void settle(volume)}>
          全部成交
        </Button>
        <Button look={['small']} disabled={busy} aria-label={`${what} 没有成交`} onClick={() => void settle(0)}>
          没有成交
        </Button>
        <NumberField value={part} onChange={setPart} width={72} placeholder="数量" label={`${what} 成交数量`} />
        <Button
          look={['small']}
          disabled={busy || !isPart}
          aria-label={`${what} 部分成交`}
          onClick={() => part !== null && void settle(part)}
        >
          部分成交
        </Button>
      </Row>
    </li>
  )
}

const isAsked = ({ settled_filled: said, is_correction: ended }: OrderQuestion): boolean => said === null && !ended

function BookRow({ question, online, busy, say }: AskedOf<BookQuestion>) {
  const { config_id: id, config_name: config, code, name, why, since, account, book, settled_volume: said } = question
  const [volume, setVolume] = useState<number | null>(said ?? account ?? book)
  const isWhole = volume !== null && Number.isInteger(volume) && volume >= 0 && volume <= (mostHeld(why, account, book) ?? volume)
  return (
    <li>
      <Row as="p" wrap className={styles.qmtQuestion}>
        <b>{name || code}</b> <span className="mono">{code}</span>
        <Badge look={said === null ? 'warn' : 'plain'}>{said === null ? '待核对' : `已回答：持有 ${said}，${waitWords(online)}`}</Badge>
      </Row>
      <p className="size-12 text-2">
        {config} · {since} 起暂停：{restWords[why]} · {volumesOf(question)}
      </p>
      <Row gap={8} wrap className={styles.qmtAnswers}>
        <span className="size-12">本配置持有</span>
        <NumberField value={volume} onChange={setVolume} width={72} label={`${name || code} 本配置持有`} />
        <Button
          look={['small']}
          disabled={busy || !isWhole}
          onClick={() => volume !== null && void say(() => call(calls.qmt.settleBook, { params: { id, code }, body: { volume } }))}
        >
          确定
        </Button>
      </Row>
    </li>
  )
}

function JournalRow({ question, busy, say }: Asked<JournalQuestion>) {
  const { config_id: id, config_name: config, state, site, client, use } = question
  const lists = `网站记录：${listOf(site)}。客户端：${listOf(client)}。`
  const choose = async (chosen: 'client' | 'site') => {
    const meant = await confirm({
      title: chosen === 'client' ? '采用这台电脑的记录？' : '按网站记录重建？',
      text: `${lists}选定后要验证一次身份；请先确认没有另一台电脑在运行本配置。`,
      action: chosen === 'client' ? '采用这台电脑的记录' : '按网站记录重建',
      icon: 'warn',
    })
    if (meant) await say(() => reAuthed(() => call(calls.qmt.useJournal, { params: { id }, body: { use: chosen } })))
  }
  return (
    <section className={styles.qmtJournal} aria-label={`${config}的委托记录`}>
      <p>
        <b>{config}</b> · {journalWords[state]}
      </p>
      <p className="size-12 text-2">
        {lists}
        {use !== null && (use === 'client' ? ' 已选择采用这台电脑的记录。' : ' 已选择按网站记录重建。')}
      </p>
      <Row gap={8} wrap className={styles.qmtAnswers}>
        {state !== 'damaged' && (
          <Button look={['small']} disabled={busy} onClick={() => void choose('client')}>
            采用这台电脑的记录
          </Button>
        )}
        <Button look={['small']} disabled={busy} onClick={() => void choose('site')}>
          按网站记录重建
        </Button>
      </Row>
    </section>
  )
}

const listOf = (positions: JournalQuestion['site']): string =>
  positions.length === 0 ? '没有持有' : positions.map(({ code, volume }) => `${code} ${volume}`).join('、')

function Changes({ changes }: Pick<Questions, 'changes'>) {
  return (
    <details className={styles.qmtChanges}>
      <summary>账本变动 {changes.length} 项</summary>
      <ul>
        {changes.map(({ config_name: config, code, name, date, why, before, after }) => (
          <li key={`${config} ${code} ${date} ${before} ${after}`} className="size-12">
            {date} {name || code} {count(before)} → {count(after)}：{changeWords[why]}（{config}）
          </li>
        ))}
      </ul>
    </details>
  )
}
