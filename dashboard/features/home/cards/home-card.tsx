// A section of the home page with a heading.
import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

interface HomeCardProps {
  title: string
  /** Link to the full list. */
  link?: ReactNode
  children: ReactNode
}

export const Nothing = ({ children }: Pick<HomeCardProps, 'children'>) => (
  <Text c="dimmed" px={16} pb={16}>
    {children}
  </Text>
)

export function HomeCard({ title, link, children }: HomeCardProps) {
  return (
    <section className="card shrink" aria-label={title}>
      <Group component="header" justify="space-between" wrap="nowrap" gap={12} mih={44} px={16}>
        <h2 className="truncate">{title}</h2>
        <div className="fixed">{link}</div>
      </Group>
      {children}
    </section>
  )
}
