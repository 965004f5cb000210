import { Icon } from '../../../ui/icon.tsx'
import { Row } from '../../../ui/layout.tsx'
import { PageLink } from '../../../ui/page-link.tsx'
import styles from '../qmt.module.css'

/** What a phone does not do, and where it is done; stopping is never far. */
export const ReadOnlyNote = () => (
  <Row gap={8} align="stretch" className={`${styles.qmtStrip} ${styles.readOnly}`} role="note">
    <Icon name="info" />
    <p>
      手机上只能查看与演练：新建、修改和确认请在电脑上进行，请在安装 QMT 的 Windows 电脑上导出。需要立刻停止时，用
      <PageLink className="link" to="/qmt/account-management">
        急停
      </PageLink>
      。
    </p>
  </Row>
)
