import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { afterAll, expect, inject, test } from 'vitest'
import { withClient } from '../database.ts'
import { migrate, pendingMigrations } from '../migrate.ts'
import { openPool } from '../pool.ts'
import { ensureServiceRole, isServiceDatabase, SERVICE_ROLE as user } from './service-role.ts'

const administration = inject('postgres')
const database = `test_${randomBytes(8).toString('hex')}`
const own = { ...administration, database }
const inPostgres = (statement: string) =>
  withClient({ ...administration, database: 'postgres' }, (client) => client.query(statement))

const open = (connection: pg.ClientConfig) =>
  openPool({ connection, max: 2, statementTimeoutMs: 30_000, onError: () => undefined })

afterAll(() => inPostgres(`drop database if exists ${database} with (force)`))

test('ensureServiceRole makes an ordinary role the owner of a superuser database and its objects', async () => {
  await inPostgres(`create database ${database}`)
  const before = open(own)
  await migrate(before)
  await before.close()
  await withClient(own, async (client) => {
    await client.query(
      `create schema jobs; create type jobs.state as enum ('a'); create view jobs.v as select 1 as n`,
    )
    await client.query('create table jobs.job (id bigserial primary key, state jobs.state)')
    expect(await isServiceDatabase(client)).toBe(false)
    await ensureServiceRole(client, { database, password: administration.password })
    expect(await isServiceDatabase(client)).toBe(true)
  })
  await withClient({ ...own, user }, async (client) => {
    const { rows } = await client.query(
      'select rolsuper, rolcreaterole, rolcreatedb from pg_roles where rolname = $1',
      [user],
    )
    expect(rows).toEqual([{ rolsuper: false, rolcreaterole: false, rolcreatedb: false }])
    await client.query(`insert into jobs.job (state) values ('a')`)
    await client.query(`alter type jobs.state add value 'b'`)
    await client.query('alter table records add column of_a_later_migration int')
    await expect(client.query(`copy objects to program 'cat'`)).rejects.toThrow(/permission denied/)
    await expect(client.query(`select pg_read_file('PG_VERSION')`)).rejects.toThrow(/permission denied/)
  })
})

test('the role of the service migrates an empty database, extensions included', async () => {
  await inPostgres(`drop database if exists ${database} with (force)`)
  await inPostgres(`create database ${database}`)
  await withClient(own, (client) =>
    ensureServiceRole(client, { database, password: administration.password }),
  )
  const pool = open({ ...own, user })
  const pending: string[] = []
  const migrated = await migrate(pool, { onPending: (names) => pending.push(...names) })
  expect(pending[0]).toBe('0068-baseline')
  expect(migrated).toEqual(pending)
  expect(await pendingMigrations(pool)).toEqual([])
  await pool.close()
})
