import type { User } from '@convexa/contract/user'
import { type ComponentType, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSite } from '../../../api/site.ts'
import { usePhone } from '../../../base/use-phone.ts'
import { accountPages } from '../../../routing/menu.ts'
import { pageAt } from '../../../routing/page-at.ts'
import { isOpen } from '../../../routing/page-table.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Page, Row, Stack } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import { ErrorBlock } from '../../../ui/states.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { Footer } from '../../legal/footer.tsx'
import { AvatarFace } from '../avatar-face.tsx'
import { useOwnUser } from '../own-user.ts'
import { AvatarDialog } from './avatar-dialog.tsx'
import { BindingsCard } from './bindings-card.tsx'
import { DeviceCard } from './device-card.tsx'
import type { DrawerProps } from './drawer-props.ts'
import { EmailDrawer } from './email-drawer.tsx'
import { LeavingCard } from './leaving-card.tsx'
import { MobileDrawer } from './mobile-drawer.tsx'
import { Nickname } from './nickname.tsx'
import { PasswordDrawer } from './password-drawer.tsx'
import { PreferencesCard } from './preferences-card.tsx'
import styles from './profile.module.css'
import { SessionsCard } from './sessions-card.tsx'
import { CopyButton, SettingLink, SettingRow } from './setting-row.tsx'
import { WechatDrawer } from './wechat-drawer.tsx'

/** Each has an address below the profile's. */
const drawers: Readonly<Record<string, ComponentType<DrawerProps>>> = {
  '/personal/profile/mobile': MobileDrawer,
  '/personal/profile/email': EmailDrawer,
  '/personal/profile/password': PasswordDrawer,
  '/personal/profile/wechat': WechatDrawer,
}

/** Profile: identity, login methods, display preferences and logout. */
export function ProfilePage() {
  const { user, error, retry } = useOwnUser()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const phone = usePhone()
  const Drawer = drawers[pathname]
  return (
    <>
      <Page className={styles.profile}>
        {error && <ErrorBlock error={error} still="登录没有受影响，其他页面可以继续使用。" onRetry={retry} />}
        {user?.demo && <DemoNote />}
        <div className={styles.profileColumns}>
          <div>
            <IdentityCard user={user} />
            <BindingsCard user={user} />
            {phone && <PagesCard />}
            <DeviceCard demo={user?.demo === true} />
          </div>
          <div>
            <PreferencesCard demo={user?.demo === true} />
            {user && !user.demo && <SessionsCard />}
            <LeavingCard user={user} />
          </div>
        </div>
      </Page>
      <Footer />
      {user && !user.demo && Drawer && <Drawer user={user} onClose={() => void navigate('/personal/profile', { replace: true })} />}
    </>
  )
}

const DemoNote = () => (
  <div className="alert quiet" role="note">
    <Icon name="info" />
    <div>
      <b>体验账号一天后连同其中的内容一起清除，资料不能修改</b>
      <p>想保留自己的策略和资料，请注册自己的账号。</p>
      <div className="actions">
        <PageLink className="button small" to="/register">
          注册自己的账号
        </PageLink>
      </div>
    </div>
  </div>
)

function IdentityCard({ user }: { user: User | null }) {
  const [changing, setChanging] = useState(false)
  return (
    <Card title="个人资料" bare>
      <Row gap={20} className={styles.identity}>
        <Stack gap={8} align="center" className={styles.identityAvatar}>
          <span className="avatar large" role="img" aria-label="头像">
            {user && <AvatarFace name={user.nickname} url={user.avatar_url} />}
          </span>
          {user && !user.demo && (
            <Button look={['small']} onClick={() => setChanging(true)}>
              更换头像
            </Button>
          )}
        </Stack>
        <Stack gap={8} align="start" className={styles.identityWords}>
          {user ? <Nickname user={user} /> : <span className="skeleton" style={{ width: 120 }} />}
          {user ? <Membership user={user} /> : <span className="skeleton" style={{ width: 160 }} />}
        </Stack>
      </Row>
      <ul>
        <SettingRow name="用户 ID" acts={user && <CopyButton text={user.user_id} name="用户 ID" />}>
          {user ? <span className="mono">{user.user_id}</span> : <span className="skeleton" style={{ width: 240 }} />}
        </SettingRow>
        <SettingRow name="注册">{user ? user.created_at.slice(0, 10) : <span className="skeleton" style={{ width: 80 }} />}</SettingRow>
      </ul>
      {changing && user && <AvatarDialog onClose={() => setChanging(false)} />}
    </Card>
  )
}

const subscription = pageAt('/personal/subscription')

function Membership({ user: { vip, demo } }: { user: User }) {
  const words =
    vip.level > 0 ? `${vip.plan_name ?? 'VIP'}${vip.expire_at ? ` · 至 ${vip.expire_at.slice(0, 10)}` : ''}` : demo ? '体验账号' : '免费版'
  return (
    <span className="line">
      <Badge look={vip.level > 0 ? 'brand' : 'plain'}>{words}</Badge>
      {subscription && isOpen(subscription) && (
        <PageLink className="link size-13" to={subscription.path}>
          {vip.level > 0 ? '续费' : '开通会员'}
        </PageLink>
      )}
    </span>
  )
}

/** The phone's way to the other pages of the account. */
function PagesCard() {
  const { name } = useSite()
  const others = accountPages.filter(({ path }) => path !== '/personal/profile')
  if (others.length === 0) return null
  return (
    <Card title={`我的${name}`} bare>
      <ul>
        {others.map(({ path, title }) => (
          <SettingRow
            key={path}
            name={title}
            acts={
              <SettingLink to={path} of={title}>
                查看
              </SettingLink>
            }
          />
        ))}
      </ul>
    </Card>
  )
}
