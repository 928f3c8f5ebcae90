// Parts of a gallery of templates: an item to choose, and the link back to all items.
import { Anchor, UnstyledButton } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'

interface GalleryItemProps {
  icon: ReactNode
  title: string
  texts: readonly string[]
}

/** The content of a link or a button. */
export function GalleryItem({ icon, title, texts }: GalleryItemProps) {
  return (
    <span className="flex gap-12 box hoverable small" style={{ height: '100%' }}>
      {icon}
      <span className="stack shrink">
        <strong>{title}</strong>
        {texts.map((text) => (
          <span key={text} className="muted tiny">
            {text}
          </span>
        ))}
      </span>
    </span>
  )
}

export function GalleryButton({ onClick, ...item }: GalleryItemProps & { onClick(): void }) {
  return (
    <UnstyledButton w="100%" h="100%" onClick={onClick}>
      <GalleryItem {...item} />
    </UnstyledButton>
  )
}

export function BackToGallery({ onClick }: { onClick(): void }) {
  return (
    <Anchor component="button" type="button" onClick={onClick} className="inline gap-4" mr="auto">
      <ArrowLeft size={14} aria-hidden />
      All templates
    </Anchor>
  )
}
