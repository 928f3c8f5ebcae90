// The parts of the service that attributes use.
import type { Logger } from 'pino'
import type { Db } from '../../db/pool.ts'
import type { OfAttribute, ShownRecords } from './shown-store.ts'

export interface AttributeHooks {
  /** Called in order, in the transactions that hide or show the values of an attribute in records. */
  onShownChange: readonly ((tx: Db, attribute: OfAttribute, records: ShownRecords) => Promise<unknown>)[]
}

export interface AttributeContext {
  db: Db
  log: Logger
  hooks: AttributeHooks
}
