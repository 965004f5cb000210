import type { User } from '@convexa/contract/user'

/** A drawer of the profile, for a user whose account is their own. */
export interface DrawerProps {
  user: User
  onClose: () => void
}
