import { calls } from '@convexa/contract/calls'
import { sentences } from '@convexa/contract/rules/sentences'
import type { WechatCredential } from '@convexa/contract/wechat'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../../api/client.ts'
import { useList } from '../../../api/lists.ts'
import { sentenceOf } from '../../../api/messages.ts'
import { queries } from '../../../api/queries.ts'
import { useSite } from '../../../api/site.ts'
import { Button } from '../../../ui/button.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Empty, ErrorBlock } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { AvatarFace } from '../avatar-face.tsx'
import { contactsOf } from '../contacts.ts'
import { reloadUser } from '../own-user.ts'
import { reAuthed } from '../re-auth.ts'
import { WechatLoginPanel } from '../wechat-login-panel.tsx'
import { endScan } from '../wechat-scan.ts'
import { credentialsQuery } from './bindings-card.tsx'
import type { DrawerProps } from './drawer-props.ts'
import styles from './profile.module.css'

/** WeChat leads back to this drawer with a code. */
const path = '/personal/profile/wechat'
const keep = { redirect: path, remember: true }

/** The WeChat that opens the account: bound by a scan, replaced by another, taken off. */
export function WechatDrawer({ user, onClose }: DrawerProps) {
  const { wechat_web: wechat, features } = useSite()
  const { items, loading, error, retry } = useList(credentialsQuery)
  const [replacing, setReplacing] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const scanned = useScanned({
    onBound: () => {
      setReplacing(false)
      setRefused(null)
    },
    onRefused: setRefused,
  })
  const bound = items[0]
  // Without a password and without an address that one could be set by, nobody could come in again.
  const only = !user.has_password && contactsOf(user).length === 0
  return (
    <Drawer title={bound ? '解绑或换绑微信' : '绑定微信'} note="绑定后可以用微信扫码登录" onClose={onClose}>
      <FieldError>{refused}</FieldError>
      {scanned ? (
        <p className={styles.drawerLead} role="status">
          正在绑定…
        </p>
      ) : loading ? (
        <Skeleton columns={undefined} rows={2} />
      ) : error ? (
        <ErrorBlock error={error} onRetry={retry} />
      ) : (
        <>
          {bound && <BoundWechat credential={bound} only={only} onRefused={setRefused} />}
          {!wechat || !features.wechat_login ? (
            !bound && (
              <Empty icon="info" title={sentences.noWechatLogin}>
                可以继续用手机号或邮箱登录。
              </Empty>
            )
          ) : bound && !replacing ? (
            <div className={styles.wechatReplace}>
              <Button onClick={() => setReplacing(true)}>换绑其他微信</Button>
            </div>
          ) : (
            <WechatLoginPanel wechat={wechat} path={path} keep={keep} action="用当前微信绑定" binds />
          )}
        </>
      )}
    </Drawer>
  )
}

function BoundWechat({
  credential: { id, nickname, avatar_url, bound_at },
  only,
  onRefused,
}: {
  credential: WechatCredential
  only: boolean
  onRefused: (sentence: string | null) => void
}) {
  const [busy, setBusy] = useState(false)
  const unbind = async () => {
    const meant = await confirm({
      title: `解绑微信「${nickname}」？`,
      text: '解绑后不能再用它扫码登录；其他设备会立即退出登录。',
      action: '解绑',
      icon: 'warn',
    })
    if (!meant) return
    setBusy(true)
    onRefused(null)
    try {
      await reAuthed(() => call(calls.wechat.removeCredential, { params: { id } }))
      await learn()
      toast.done(`已解绑微信「${nickname}」`)
    } catch (error) {
      onRefused(sentenceOf(error))
    }
    setBusy(false)
  }
  return (
    <Row gap={12} wrap className={styles.boundWechat}>
      <span className="avatar">
        <AvatarFace name={nickname} url={avatar_url} />
      </span>
      <span className="grow">
        <b>{nickname}</b>
        <small>{bound_at.slice(0, 10)} 绑定</small>
      </span>
      <Button look={['small', 'destructive']} icon="cross" disabled={busy || only} onClick={unbind}>
        解绑
      </Button>
      {only && <p className="note">这个账号只能用微信登录。请先绑定手机号或设置密码，再解绑。</p>}
    </Row>
  )
}

const learn = () => Promise.all([reloadUser(), queries.invalidateQueries({ queryKey: credentialsQuery.queryKey })])

/** Binds what WeChat brought back in the address, once. @returns whether it is on its way */
function useScanned({ onBound, onRefused }: { onBound: () => void; onRefused: (sentence: string) => void }): boolean {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const begun = useRef(false)
  const came = search.has('state')
  useEffect(() => {
    // The code is good once; so is the state.
    if (!came || begun.current) return
    begun.current = true
    const scan = endScan(search.get('state'))
    const code = search.get('code')
    const bind = async () => {
      if (scan?.redirect !== path) return onRefused('登录状态已失效，请重新扫码')
      if (!code) return onRefused('你取消了微信授权')
      const body = { code, state: scan.state }
      const { nickname } = await reAuthed(() => call(calls.wechat.addCredential, { body }))
      await learn()
      toast.done(`已绑定微信「${nickname}」`)
      onBound()
    }
    void bind()
      .catch((error: unknown) => onRefused(sentenceOf(error)))
      .finally(() => {
        begun.current = false
        void navigate(path, { replace: true })
      })
  }, [came, search, navigate, onBound, onRefused])
  return came
}
