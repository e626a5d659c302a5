/** Whether a place in a text lies inside an open code fence; spell checking is off there (U-52). `at` in UTF-16 units. */
export function insideFence(text: string, at: number): boolean {
  let fences = 0
  for (let found = text.indexOf('```'); found !== -1 && found < at; found = text.indexOf('```', found + 3))
    if (found === 0 || text[found - 1] === '\n') fences += 1
  return fences % 2 === 1
}
