// The engine: a module of WebAssembly with its memory, made by dalembert/engine. Knows no page.

const ROOM = { f: Float64Array, i: BigInt64Array };

export class Engine {
  /** `spec` as dalembert.engine wrote it; `codes` are modules: bytes, compiled ones, or promises of either; `image` is the bytes of `spec.filled`. */
  static async open(spec, codes, image) {
    const modules = codes.map(async (given) => {
      const code = await given;
      return code instanceof WebAssembly.Module ? code : WebAssembly.compile(code);
    });
    return new Engine(spec, await Promise.all(modules), image);
  }

  constructor(spec, modules, image) {
    this.spec = spec;
    this.image = image;
    this.memory = new WebAssembly.Memory({ initial: spec.pages });
    const table = new WebAssembly.Table({ initial: spec.functions, element: "anyfunc" });
    const stack = new WebAssembly.Global({ value: "i32", mutable: true }, spec.begin);
    const told = (at) => { throw new RangeError(this.text(at)); };
    const env = { __linear_memory: this.memory, __indirect_function_table: table, __stack_pointer: stack, out_of_range: told };
    this.exports = Object.assign({}, ...modules.map((module) => new WebAssembly.Instance(module, { env }).exports));
    this.numbers = new Float64Array(this.memory.buffer);
    this.integers = new BigInt64Array(this.memory.buffer);
    this.fill();
    this.arrays = {};
    for (const [name, { at, count, kind }] of Object.entries(spec.arrays)) {
      this.arrays[name] = new ROOM[kind](this.memory.buffer, at, count);
    }
  }

  /** The memory as it was when the page was made. */
  restore() {
    new Uint8Array(this.memory.buffer).fill(0, this.spec.begin);
    this.fill();
  }

  /** What is not zero, into its places. */
  fill() {
    const bytes = new Uint8Array(this.memory.buffer), { begin, filled } = this.spec;
    let from = 0;
    for (const [at, count] of filled) {
      bytes.set(this.image.subarray(from, from + count), begin + at);
      from += count;
    }
  }

  /** A text of the modules: what a bounds-checked kernel says of an index. */
  text(at) {
    const bytes = new Uint8Array(this.memory.buffer);
    return new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)));
  }

  /** Call a kernel; its numbers as they are declared, arrays are in their places. */
  call(name, ...given) {
    const { at, numbers, results } = this.spec.entries[name];
    let k = at / 8 + results.length;
    for (let i = 0; i < given.length; i++, k++) {
      if (numbers[i]) this.numbers[k] = given[i];
      else this.integers[k] = BigInt(given[i]);
    }
    this.exports[name](at);
    const found = results.map((isFloat, i) => (isFloat ? this.numbers[at / 8 + i] : Number(this.integers[at / 8 + i])));
    return found.length > 1 ? found : found[0];
  }
}
