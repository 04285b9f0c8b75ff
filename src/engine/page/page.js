'use strict';
/* Zoom and movement of the picture. Each shape with data-b and data-e (microseconds) is placed anew when the view changes; labels are
 * written where there is room now. Without this script the picture is whole and still. */
(function () {
    const NS = 'http://www.w3.org/2000/svg';
    const svg = document.querySelector('#picture svg'), tip = document.getElementById('tip');
    const LEFT = +svg.dataset.left, WIDTH = +svg.dataset.width, TOP = +svg.dataset.top, FOOT = +svg.dataset.foot;
    const all = [+svg.dataset.from, +svg.dataset.to];
    const axis = document.getElementById('axis'), where = document.getElementById('where');
    const spans = document.getElementById('spans');
    let view = all.slice(), waiting = false;

    for (const old of svg.querySelectorAll('.lb')) old.remove();
    const labels = document.createElementNS(NS, 'g');
    spans.appendChild(labels);
    /* Titles become the page's own note, which comes at once. */
    const shapes = Array.from(svg.querySelectorAll('[data-b]'), function (node) {
        const title = node.querySelector('title');
        const d = node.dataset, b = +d.b, e = +d.e;
        const shape = { node: node, b: b, e: e, label: (d.l || '').split('|') };
        /* where a label may stand: what no wait covers */
        shape.from = d.f === undefined ? b : +d.f;
        shape.to = d.g === undefined ? e : +d.g;
        if (title) {
            node.note = title.textContent;
            title.remove();
        }
        return shape;
    });

    function place(us) { return LEFT + (us - view[0]) * WIDTH / (view[1] - view[0]); }

    function labelClass(node) {
        const c = node.getAttribute('class') || '';
        if (c[0] === 'c') return 't' + parseInt(c.slice(1), 10);
        return c.slice(0, 3) === 'gap' ? 'gt' : 'halo';
    }

    /* The room is that of the part which is seen. */
    function writeLabel(shape) {
        const lo = Math.max(place(shape.from), LEFT), hi = Math.min(place(shape.to), LEFT + WIDTH);
        for (const text of shape.label) {
            if (!text || 6 * text.length + 0.6 > hi - lo) continue;
            const t = document.createElementNS(NS, 'text');
            t.setAttribute('class', 'lb ' + labelClass(shape.node));
            t.setAttribute('x', ((lo + hi) / 2).toFixed(1));
            t.setAttribute('y', +shape.node.getAttribute('y') + 14);
            t.textContent = text;
            labels.appendChild(t);
            return;
        }
    }

    function drawShape(shape) {
        const x = place(shape.b), right = place(shape.e);
        const seen = right >= LEFT && x <= LEFT + WIDTH;
        shape.node.style.display = seen ? '' : 'none';
        if (!seen) return;
        const lo = Math.max(x, LEFT - 20), hi = Math.min(right, LEFT + WIDTH + 20), w = hi - lo;
        shape.node.setAttribute('x', lo.toFixed(2));
        shape.node.setAttribute('width', Math.max(w > 3 ? w - 0.7 : w, 0.5).toFixed(2));
        writeLabel(shape);
    }

    /* About ten marks; hours where there are many. In microseconds. */
    function tickOf(range) {
        const unit = range > 7.2e9 ? 3.6e9 : 0.001;
        for (let t = 1; ; t *= 10)
            for (const k of [1, 2, 5])
                if (t * k * 12 >= range / unit) return t * k * unit;
    }

    function moment(us, tick) {
        if (tick >= 3.6e9) return (us / 3.6e9).toFixed(0) + ' h';
        if (tick >= 1e6) return (us / 1e6).toFixed(0) + ' s';
        if (tick >= 1e3) return (us / 1e6).toFixed(Math.ceil(6 - Math.log10(tick))) + ' s';
        return us.toFixed(0) + ' us';
    }

    function add(parent, name, attributes, text) {
        const node = document.createElementNS(NS, name);
        for (const key in attributes) node.setAttribute(key, attributes[key]);
        if (text) node.textContent = text;
        parent.appendChild(node);
    }

    function drawAxis() {
        const tick = tickOf(view[1] - view[0]);
        axis.textContent = '';
        for (let t = Math.ceil(view[0] / tick) * tick; t <= view[1]; t += tick) {
            const x = place(t).toFixed(1);
            add(axis, 'path', { class: 'grid', d: 'M' + x + ' ' + TOP + 'V' + (FOOT + 4) });
            for (const y of [TOP - 6, FOOT + 17]) add(axis, 'text', { class: 'tick', x: x, y: y }, moment(t, tick));
        }
    }

    function draw() {
        waiting = false;
        labels.textContent = '';
        shapes.forEach(drawShape);
        drawAxis();
        where.textContent = (view[0] / 1e6).toFixed(3) + ' s to ' + (view[1] / 1e6).toFixed(3) + ' s';
    }

    function show(from, to) {
        const whole = all[1] - all[0], length = Math.min(Math.max(to - from, Math.min(1, whole)), whole);
        from = Math.min(Math.max(from, all[0]), all[1] - length);
        view = [from, from + length];
        if (!waiting) requestAnimationFrame(draw);
        waiting = true;
    }
    function zoom(factor, at) { show(at - (at - view[0]) * factor, at + (view[1] - at) * factor); }
    function middle() { return (view[0] + view[1]) / 2; }
    function move(share) {
        const by = share * (view[1] - view[0]);
        show(view[0] + by, view[1] + by);
    }

    /* Microseconds under the pointer. */
    function under(event) {
        const r = svg.getBoundingClientRect(), x = (event.clientX - r.left) * svg.viewBox.baseVal.width / r.width;
        return view[0] + (x - LEFT) * (view[1] - view[0]) / WIDTH;
    }

    svg.addEventListener('wheel', function (event) {
        event.preventDefault();
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            move((event.deltaX || event.deltaY) / 1000);
        } else {
            zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), Math.min(Math.max(under(event), view[0]), view[1]));
        }
    }, { passive: false });

    let held = null;
    svg.addEventListener('pointerdown', function (event) {
        if (event.button !== 0) return;
        held = under(event);
        svg.setPointerCapture(event.pointerId);
        svg.classList.add('drags');
    });
    svg.addEventListener('pointermove', function (event) {
        if (held !== null) {
            const by = held - under(event);
            show(view[0] + by, view[1] + by);
        }
        const over = document.elementFromPoint(event.clientX, event.clientY), note = over && over.note;
        tip.style.visibility = note && held === null ? 'visible' : 'hidden';
        if (!note) return;
        tip.textContent = note;
        tip.style.left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8) + 'px';
        tip.style.top = Math.min(event.clientY + 16, innerHeight - tip.offsetHeight - 8) + 'px';
    });
    function release() {
        held = null;
        svg.classList.remove('drags');
    }
    svg.addEventListener('pointerup', release);
    svg.addEventListener('pointercancel', release);
    svg.addEventListener('pointerleave', function () { tip.style.visibility = 'hidden'; });
    svg.addEventListener('dblclick', function () { show(all[0], all[1]); });

    const actions = {
        in: function () { zoom(0.5, middle()); },
        out: function () { zoom(2, middle()); },
        left: function () { move(-0.25); },
        right: function () { move(0.25); },
        all: function () { show(all[0], all[1]); }
    };
    const keys = { '+': 'in', '=': 'in', '-': 'out', '_': 'out', ArrowLeft: 'left', ArrowRight: 'right', '0': 'all', Home: 'all' };
    for (const button of document.querySelectorAll('#bar button'))
        button.addEventListener('click', function () { actions[button.dataset.do](); });
    document.addEventListener('keydown', function (event) {
        const name = keys[event.key];
        if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        actions[name]();
    });
    /* A part of the trace may be named in the address: #FROM-TO, in seconds. */
    const part = /^#([0-9.]+)-([0-9.]+)$/.exec(location.hash);
    if (part && +part[1] < +part[2]) show(part[1] * 1e6, part[2] * 1e6);
    draw();
})();
