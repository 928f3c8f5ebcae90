// What users and organizations use of the service.
import type { Db } from '../db/pool.ts'
import type { DiskSpace } from '../disk-space/disk-space.ts'
import type { FileContext } from '../files/context.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Auth } from './auth.ts'

export interface OrganizationHooks {
  /** Called in order, in the transaction that gives an organization another time zone. */
  afterTimeZone: readonly ((tx: Db, org: number) => Promise<unknown>)[]
}

export interface IdentityContext extends FileContext {
  /** Passwords and sessions; loaded when first asked for, since it is large. */
  auth(): Promise<Auth>
  mailer: Mailer
  /** Whether there is space to write to `db`, and for files. */
  diskSpace: DiskSpace
  hooks: OrganizationHooks
}
