import pg from 'pg'
import { isOlderWriter } from './writer.ts'

const endsSession = ({ code = '' }: pg.DatabaseError) => code.startsWith('57P')

/**
 * Whether PostgreSQL answered with an error in a session that goes on: the statement did nothing. A session that ends
 * says so too (57P01), and may do it after the commit of a statement that was sent outside a transaction.
 */
export const isDatabaseRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  error.severity === 'ERROR' &&
  (isOlderWriter(error) || !endsSession(error))
