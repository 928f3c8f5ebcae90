// Whether a restore failed for a reason that says nothing about the backup.
import { errorCode } from '../db/error-code.ts'

/** An error of the system, such as a full disk or no access; one that reads nothing (EIO) may be the disk of the backups. */
export function isMachineFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('syscall' in error) return errorCode(error) !== 'EIO'
  return isMachineFault(error.cause)
}
