import type { ApiKey } from '@convexa/contract/qmt'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dateTime } from '../../../base/dates.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import type { CardState } from '../../../ui/card-state.tsx'
import { KeyValues } from '../../../ui/key-values.tsx'
import { useGuest } from '../guest.ts'
import { apiKeyQuery } from '../qmt-queries.ts'
import { KeyDialog } from './key-dialog.tsx'

const scopeWords = { read: '读取目标', report: '回报心跳与成交' } as const

/** The key by which the user's own client asks: how it is known, who used it last, a new one. */
export function KeyCard() {
  const { data, error, refetch } = useQuery(apiKeyQuery)
  const [making, setMaking] = useState(false)
  const guest = useGuest()
  const make = () => setMaking(true)
  return (
    <>
      <Card
        title="API 密钥"
        note="客户端用它读取目标、回报成交"
        state={stateOf(data, error, () => void refetch(), guest ? undefined : make)}
        tools={
          data && (
            <Button look={['small']} icon="refresh" disabled={guest} onClick={make}>
              重新生成
            </Button>
          )
        }
        foot="密钥只在生成时显示一次，本站只保存它的摘要。它不能登录网站，也不能修改任何设置。"
      >
        {data && <KeyValues rows={rowsOf(data)} />}
      </Card>
      {making && <KeyDialog onClose={() => setMaking(false)} />}
    </>
  )
}

function stateOf(data: ApiKey | null | undefined, error: Error | null, onRetry: () => void, make: (() => void) | undefined): CardState {
  if (data) return { kind: 'ready' }
  if (error) return { kind: 'error', error, still: '已在使用的密钥不受影响。', onRetry }
  if (data === undefined) return { kind: 'loading', rows: 5 }
  return {
    kind: 'empty',
    icon: 'lock',
    title: '还没有密钥',
    text: make ? '生成后把它粘贴到电脑上的客户端，客户端才能读取你的目标。' : '体验账号不能生成密钥。请注册自己的账号。',
    ...(make && { action: { label: '生成密钥', act: make } }),
  }
}

const rowsOf = ({ masked, scopes, created_at, last_used_at, last_ip, old_until }: ApiKey) => [
  [
    '密钥',
    <span key="key" className="mono">
      {masked}
    </span>,
  ] as const,
  ['权限', scopes.map((scope) => scopeWords[scope]).join('、')] as const,
  ['创建时间', dateTime(created_at)] as const,
  [
    '最近使用',
    last_used_at ? (
      dateTime(last_used_at)
    ) : (
      <span key="never" className="text-3">
        还没有使用
      </span>
    ),
  ] as const,
  ['最近使用的 IP', last_ip] as const,
  ...(old_until
    ? [
        [
          '上一个密钥',
          <span key="old" className="warn">
            {dateTime(old_until).slice(11, 16)} 失效
          </span>,
        ] as const,
      ]
    : []),
]
