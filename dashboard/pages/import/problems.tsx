// What is wrong with which row.
import { Table } from '@mantine/core'
import type { CheckResult } from '../../../contract/imports.ts'
import { formatCount } from './file-facts.ts'
import classes from './import.module.css'

/** How many the service keeps. */
const KEPT = 100

export function Problems({ check: { problems } }: { check: CheckResult }) {
  if (problems.length === 0) return null
  const title = problems.length >= KEPT ? `The first ${KEPT} problems` : 'Problems'
  return (
    <div>
      <h3 className={classes.subtitle}>{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className={classes.scroll} aria-label={title} tabIndex={0} data-tall>
        <Table className={classes.problems} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.count}>Line</Table.Th>
              <Table.Th>Column</Table.Th>
              <Table.Th>Problem</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.map(({ line, column, message }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one row may have the same problem twice
              <Table.Tr key={at}>
                <Table.Td className={classes.count}>{formatCount(line)}</Table.Td>
                <Table.Td>{column}</Table.Td>
                <Table.Td>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </div>
  )
}
