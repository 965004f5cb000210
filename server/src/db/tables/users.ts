import type { LoginMethod, Prefs } from '@convexa/contract'
import type { Generated, JSONColumnType } from 'kysely'

/** Why sessions of a user are ended besides logout, reuse and too many. */
export type EndReason = 'others' | 'password' | 'mobile' | 'email' | 'wechat' | 'disabled' | 'deleted' | 'operator'

/** Users, their credentials and the messages to them. */
export interface UserTables {
  app_user: {
    id: string
    account: string | null
    nickname: string
    password_hash: string | null
    /** A visitor of the demo, for a day. */
    is_demo: Generated<boolean>
    guest_source: string | null
    vip_level: Generated<number>
    vip_until: Date | null
    prefs: JSONColumnType<Prefs, string | undefined, string>
    disabled_at: Date | null
    deletion_at: Date | null
    avatar_file_id: string | null
    qmt_halted_at: Date | null
    consent_version: string | null
    consented_at: Date | null
    created_at: Generated<Date>
  }
  /** Notices sent about the runs of a membership that has ended. */
  retention_notice: { user_id: string; lapsed_at: Date; days_before: number; told_at: Generated<Date> }
  user_contact: { user_id: string; kind: 'mobile' | 'email'; address_hash: Buffer; sealed: Buffer; verified_at: Date | null }
  verification_code: {
    key: Buffer
    code_hash: Buffer
    sealed_target: Buffer
    tries: Generated<number>
    expires_at: Date
    used_at: Date | null
    created_at: Generated<Date>
  }
  code_send: { sent_at: Date; target_hash: Buffer; source_hash: Buffer; user_id: string | null }
  human_check_used: { nonce: string; expires_at: Date }
  session: {
    id: string
    user_id: string
    access_hash: Buffer
    refresh_hash: Buffer
    previous_access_hash: Buffer | null
    previous_access_expires_at: Date | null
    previous_refresh_hash: Buffer | null
    successor: Buffer | null
    rotated_at: Date | null
    access_expires_at: Date
    refresh_expires_at: Date
    absolute_expires_at: Date
    revoked_at: Date | null
    revoke_reason: 'logout' | 'reuse' | 'limit' | EndReason | null
    re_auth_until: Date | null
    created_at: Generated<Date>
  }
  message: {
    id: string
    sealed: Buffer
    expires_at: Date
    attempts: Generated<number>
    unclear: Generated<boolean>
    created_at: Generated<Date>
  }
  wechat_credential: {
    id: string
    user_id: string
    sealed: Buffer
    openid_index: Buffer
    unionid_index: Buffer | null
    /** The application of WeChat that the openid is of; null: not known. */
    app_id: string | null
    nickname: string
    avatar_url: string | null
    bound_at: Generated<Date>
  }
  used_once: { key: Buffer; until: Date }
  upload: { id: string; user_id: string; created_at: Generated<Date>; expires_at: Date; used_at: Date | null }
  file: {
    id: string
    user_id: string
    upload_id: string
    name: string
    mime: string
    size: number
    key: Generated<string | null>
    sha256: Generated<Buffer | null>
    created_at: Generated<Date>
  }
  login_failure: { key: Buffer; failures: number; window_ends_at: Date }
  login_record: {
    id: string
    user_id: string | null
    session_id: string | null
    login_at: Generated<Date>
    method: LoginMethod
    success: boolean
    device: string
    os: string
    browser: string
    ip: string
    fingerprint: string | null
  }
  audit: {
    id: Generated<number>
    at: Generated<Date>
    actor: string
    action: string
    user_id: string | null
    before: JSONColumnType<Record<string, unknown>> | null
    after: JSONColumnType<Record<string, unknown>> | null
  }
}
