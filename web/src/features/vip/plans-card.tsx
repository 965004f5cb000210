import { accountLabels } from '@convexa/contract/account-labels'
import { calls } from '@convexa/contract/calls'
import type { User } from '@convexa/contract/user'
import type { Benefit, Plan } from '@convexa/contract/vip'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import type { List } from '../../api/lists.ts'
import { useSite } from '../../api/site.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { KeyValues } from '../../ui/key-values.tsx'
import { Row } from '../../ui/layout.tsx'
import { Badge } from '../../ui/tag.tsx'
import { freeBenefits, price, savedWords, untilWords } from './order-text.ts'
import { iosWords, ownPayWay } from './pay-way.ts'
import styles from './subscription.module.css'
import { cancelOrder, ordersChanged } from './vip-queries.ts'

/** What can be bought beside what everybody has; the user's own membership in the head. */
export function PlansCard({
  plans,
  user,
  pending,
  wish,
  onPay,
}: {
  plans: List<Plan>
  user: User | null
  /** An open order: there is one at a time, as far as this page is asked. */
  pending: { order_id: string; plan_id: string; plan_name: string } | undefined
  /** The sentence of a refusal that led here: what it names stands out among the benefits. */
  wish: string | null
  onPay: (orderId: string) => void
}) {
  const { wechat_pay: canPay, ios_virtual_pay: iosVirtualPay } = useSite().features
  const [instead, setInstead] = useState<Plan | null>(null)
  const buying = useAction()
  const order = async (plan: Plan) => {
    const { order_id } = await call(calls.vip.subscribe, { body: { plan_id: plan.plan_id } })
    void ordersChanged()
    onPay(order_id)
  }
  const buy = (plan: Plan) => {
    if (pending && pending.plan_id !== plan.plan_id) setInstead(plan)
    else void buying.run(() => order(plan))
  }
  const member = (user?.vip.level ?? 0) > 0
  const noEnd = member && user?.vip.expire_at === null
  const isIos = ownPayWay(iosVirtualPay) === 'ios'
  const why = noEnd ? '会员没有到期日，无需购买' : canPay ? null : '本站未开通微信支付，暂不能购买'
  return (
    <Card
      title={accountLabels.plan_id}
      note={user && membershipWords(user)}
      bare
      className={styles.plans}
      state={stateOf(plans, isIos)}
      foot={footWords(why)}
    >
      <FieldError>{buying.refused}</FieldError>
      {wish && !member && (
        <Row as="p" gap={8} align="stretch" className={styles.planWish} role="status">
          <Icon name="info" size="middle" />
          {wish}
        </Row>
      )}
      <ul className={styles.planList}>
        <PlanBox name="免费" price="¥0" benefits={freeBenefits(plans.items).map((one) => ({ ...one, value: one.free }))} wish={wish}>
          <Button look={['wide', 'large']} disabled>
            {member || user?.demo ? '人人都有' : '使用中'}
          </Button>
        </PlanBox>
        {plans.items.map((plan) => (
          <PlanBox
            key={plan.plan_id}
            name={plan.plan_name}
            price={price(plan.price_fen)}
            per={`${plan.days} 天`}
            origin={plan.origin_price_fen !== undefined && savedWords(plan) ? price(plan.origin_price_fen) : null}
            saved={savedWords(plan)}
            recommended={plan.recommended}
            benefits={plan.benefits}
            wish={wish}
          >
            <Button
              look={plan.recommended ? ['wide', 'large', 'primary'] : ['wide', 'large']}
              disabled={why !== null || buying.busy}
              title={why ?? undefined}
              aria-label={`${member ? '续费' : '开通'}${plan.plan_name}`}
              onClick={() => buy(plan)}
            >
              {member ? '续费' : '开通'}
            </Button>
          </PlanBox>
        ))}
      </ul>
      {instead && pending && (
        <Dialog
          title="已有待支付订单"
          onClose={() => setInstead(null)}
          footer={
            <>
              <Button
                disabled={buying.busy}
                onClick={() =>
                  void buying.run(async () => {
                    await cancelOrder(pending.order_id)
                    setInstead(null)
                    await order(instead)
                  })
                }
              >
                取消并重新下单
              </Button>
              <Button
                look={['primary']}
                data-focus
                onClick={() => {
                  setInstead(null)
                  onPay(pending.order_id)
                }}
              >
                继续支付
              </Button>
            </>
          }
        >
          <p>
            「{pending.plan_name}」的订单还没有支付。可以继续支付，也可以取消它，改买「{instead.plan_name}」。
          </p>
          <FieldError>{buying.refused}</FieldError>
        </Dialog>
      )}
    </Card>
  )
}

function PlanBox({
  name,
  price: words,
  per,
  origin = null,
  saved = null,
  recommended = false,
  benefits,
  wish,
  children,
}: {
  name: string
  price: string
  per?: string
  origin?: string | null
  saved?: string | null
  recommended?: boolean
  benefits: readonly Benefit[]
  wish: string | null
  children: React.ReactNode
}) {
  return (
    <li className={recommended ? `${styles.plan} ${styles.recommended}` : styles.plan}>
      <h3>
        {name}
        {recommended && <Badge look="brand">首选</Badge>}
        <span className="grow" />
        {saved && <span className={styles.planSaved}>{saved}</span>}
      </h3>
      <Row as="p" gap={6} align="baseline" className={styles.planPrice}>
        <b>{words}</b>
        {per && <span>/ {per}</span>}
        {origin && (
          <del>
            <span className="hidden-text">原价 </span>
            {origin}
          </del>
        )}
      </Row>
      <KeyValues
        rows={benefits.map(({ label, value }) => [label, wish?.includes(label) ? <mark key={label}>{value}</mark> : value] as const)}
      />
      {children}
    </li>
  )
}

function membershipWords({ demo, vip: { level, plan_name, expire_at } }: User): string {
  if (level === 0) return demo ? '当前：体验账号，额度同会员' : '当前：免费版'
  return `当前：${plan_name ?? '会员'}${expire_at ? ` · ${untilWords(expire_at, Date.now())}` : ' · 长期有效'}`
}

const footWords = (why: string | null) => (
  <>
    {why && <b>{why}。</b>}
    方案只影响以上用量上限，不影响数据口径与回测结果。续费从现有到期日往后接，不会少一天。
  </>
)

function stateOf({ items, loading, error, retry }: List<Plan>, isIos: boolean): CardState {
  if (loading) return { kind: 'loading', rows: 8 }
  if (error) return { kind: 'error', error, still: '会员方案加载失败，现有会员不受影响。', onRetry: retry }
  if (isIos) return { kind: 'empty', icon: 'info', title: iosWords }
  if (items.length === 0) return { kind: 'empty', icon: 'info', title: '暂无在售的会员方案', text: '现有功能可以继续使用。' }
  return { kind: 'ready' }
}
