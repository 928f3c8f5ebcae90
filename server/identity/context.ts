// The part of the service that the code of users and organizations uses.
import type { OrganizationHooks } from '../cells/context.ts'
import type { DiskSpace } from '../db/disk-space/disk-space.ts'
import type { FileContext } from '../files/context.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Auth } from './auth.ts'

export interface IdentityContext extends FileContext {
  /** Passwords and sessions. Loaded on first use, because the library is large. */
  auth(): Promise<Auth>
  mailer: Mailer
  /** Whether there is space to write to `db`, and for files. */
  diskSpace: DiskSpace
  hooks: OrganizationHooks
}
