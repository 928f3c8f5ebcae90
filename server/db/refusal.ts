import pg from 'pg'
import { isOlderWriter } from './writer.ts'

const endsSession = ({ code = '' }: pg.DatabaseError) => code.startsWith('57P')

/**
 * Whether PostgreSQL answered with an error and the session continues: then the statement changed nothing. A session
 * that ends reports an error too (57P01), but possibly after the commit of a statement outside a transaction.
 */
export const isDatabaseRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.severity === 'ERROR' &&
  (isOlderWriter(error) || !endsSession(error))
